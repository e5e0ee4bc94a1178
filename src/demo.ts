// What an empty database is filled with, so that a newcomer has something to order: an organisation, a key, stock.
import type { Environment } from './auth/key.ts';
import { systemScope } from './auth/scope.ts';
import { type Database, sql, type Transaction } from './database/connect.ts';
import type { Write } from './http/api.ts';
import type { Found } from './http/envelope.ts';
import { changeStock, type StockChange } from './inventory/stock.ts';
import { createApiKey } from './organizations/create-api-key.ts';
import { createOrganization } from './organizations/create-organization.ts';
import { createProduct } from './products/create-product.ts';
import type { CreateProductBody } from './products/schema.ts';
import { createWarehouse } from './warehouses/create-warehouse.ts';
import { createWarehouseLocation } from './warehouses/create-warehouse-location.ts';

/** Any number that no other program on the database takes: the letters WAYD. */
const demoLock = 0x57415944;

const address = {
  company: 'Demo Outdoor',
  street1: '500 E 4th St',
  city: 'Reno',
  state: 'NV',
  postalCode: '89512',
  country: 'US',
};

const mugSku = 'MUG-BLUE';

const products: CreateProductBody[] = [
  {
    name: 'Enamel mug',
    brand: 'Hearth',
    description: 'Holds 12 oz, survives campfires.',
    options: [{ name: 'Color', values: ['Blue', 'Red'] }],
    variants: ['Blue', 'Red'].map((color) => ({
      title: color,
      sku: `MUG-${color.toUpperCase()}`,
      price: 12.5,
      costPrice: 4.2,
      selectedOptions: [{ name: 'Color', value: color }],
      weight: 9,
      dimensions: { length: 4, width: 4, height: 3.5 },
      tariffCode: '7323.94',
      countryOfOrigin: 'CN',
    })),
  },
  {
    name: 'Merino beanie',
    brand: 'Hearth',
    description: 'One size, knit from merino wool.',
    variants: [
      {
        title: 'Charcoal',
        sku: 'BEANIE-CHARCOAL',
        barcode: '4006381333931',
        price: 29,
        costPrice: 11.4,
        weight: 3,
        dimensions: { length: 9, width: 8, height: 1 },
        tariffCode: '6505.00',
        countryOfOrigin: 'NZ',
      },
    ],
  },
  {
    name: 'Trail coffee',
    brand: 'Summit Roasters',
    description: 'Whole beans, 1 lb; the lot that expires first is picked first.',
    variants: [
      {
        title: '1 lb',
        sku: 'COFFEE-1LB',
        price: 18.75,
        costPrice: 8,
        inventoryAllocationStrategy: 'FEFO',
        weight: 1,
        weightUnit: 'lb',
        dimensions: { length: 6, width: 3, height: 9 },
        countryOfOrigin: 'CO',
      },
    ],
  },
];

const unitsOfEach = 100;

export interface Demo {
  /** An API key with every permission; it is kept nowhere else. */
  key: string;
  /** A variant that is in stock. */
  sku: string;
  warehouseId: string;
}

/** Fills a database that has no organisation, once, whoever else tries at the same moment; else does nothing. */
export function seedDemo(database: Database, environment: Environment): Promise<Demo | undefined> {
  return database.transaction(async (transaction) => {
    await transaction.query(sql`select pg_advisory_xact_lock(${demoLock})`);
    if (await hasOrganization(transaction)) return undefined;
    const now = new Date();
    const organization = { slug: 'demo', name: 'Demo Outdoor' };
    const id = await createOrganization({ transaction, now }, organization, environment);
    const write: Write = { transaction, now, scope: systemScope(id), ifMatch: undefined };
    const { key } = await createApiKey(
      write,
      { name: 'Demo', permissions: ['all'], userName: 'Demo' },
      environment,
    );
    const warehouseId = idOf(await createWarehouse(write, { name: 'Reno', address }));
    await stock(write, warehouseId);
    return { key, sku: mugSku, warehouseId };
  });
}

async function hasOrganization(transaction: Transaction): Promise<boolean> {
  const rows = await transaction.query(sql`select id from organizations limit 1`);
  return rows.length > 0;
}

async function stock(write: Write, warehouseId: string): Promise<void> {
  const bin = idOf(await createWarehouseLocation(write, warehouseId, { name: 'A-01-01', sequence: 10 }));
  const changes: StockChange[] = [];
  for (const product of products) {
    const { variants } = JSON.parse((await createProduct(write, product)).json) as {
      variants: { id: string }[];
    };
    for (const { id } of variants) {
      changes.push({
        warehouseId,
        productVariantId: id,
        fromWarehouseLocationId: null,
        toWarehouseLocationId: bin,
        quantity: unitsOfEach,
        reason: 'demo',
      });
    }
  }
  await changeStock(write, changes);
}

function idOf({ json }: Found): string {
  return (JSON.parse(json) as { id: string }).id;
}

/** One line that, pasted into a shell, orders two mugs. `baseUrl` ends in /api/v1. */
export function demoCurl(baseUrl: string, key: string): string {
  const order = {
    name: 'SO-',
    price: 25,
    orderDate: new Date().toISOString(),
    lineItems: [{ productVariantSku: mugSku, quantity: 2 }],
  };
  return `curl -sS '${baseUrl}/orders' -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(order)}'`;
}
