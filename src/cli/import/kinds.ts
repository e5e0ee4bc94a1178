// The kinds of import, one line each.
import { customers } from './customers.ts';
import { inventory } from './inventory.ts';
import type { Kind } from './kind.ts';
import { orders } from './orders.ts';
import { products } from './products.ts';
import { suppliers } from './suppliers.ts';

export const kinds: Readonly<Record<string, Kind>> = { products, inventory, customers, suppliers, orders };
