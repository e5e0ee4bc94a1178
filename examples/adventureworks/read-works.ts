// What the tables say: vendors, products, bins, offers, and purchase orders with their lines, in decimals and whole units.
import Big from 'big.js';
import { type Row, readTables, type Tables } from './tables.ts';

export type OrderStatus = 'pending' | 'approved' | 'rejected' | 'complete';

export interface Vendor {
  id: string;
  name: string;
  accountNumber: string;
  creditRating: string;
  preferred: boolean;
  active: boolean;
  url: string;
}

export interface Product {
  id: string;
  sku: string;
  name: string;
  price: string;
  cost: string;
  weight: number | null;
  weightUnit: 'lb' | 'g' | null;
  color: string;
}

/** Units of a product in a bin, `<area>-<shelf>-<bin>`. */
export interface Bin {
  sku: string;
  bin: string;
  quantity: number;
}

/** What a vendor sells a product for. */
export interface Offer {
  vendorId: string;
  sku: string;
  price: string;
  leadTimeDays: number;
}

export interface OrderLine {
  sku: string;
  dueDay: string;
  ordered: number;
  unitPrice: string;
  lineTotal: Big;
  received: number;
  rejected: number;
  stocked: number;
}

export interface Order {
  id: string;
  vendorId: string;
  status: OrderStatus;
  shipMethod: string;
  orderDate: string;
  shipDate: string;
  subtotal: Big;
  tax: Big;
  freight: Big;
  total: Big;
  lines: OrderLine[];
}

export interface Works {
  digest: string;
  vendors: Vendor[];
  products: Product[];
  bins: Bin[];
  offers: Offer[];
  orders: Order[];
}

export async function readWorks(folder: string): Promise<Works> {
  const { tables, digest } = await readTables(folder);
  const skus = new Map(tables.Product.map(({ id, sku }) => [id, sku]));
  return {
    digest,
    vendors: tables.Vendor.map((row) => ({
      ...row,
      preferred: row.preferred === '1',
      active: row.active === '1',
    })),
    products: tables.Product.map(readProduct),
    bins: tables.ProductInventory.map((row) => ({
      sku: known(skus, row.productId, 'product'),
      bin: `${row.locationId}-${row.shelf}-${row.bin}`,
      quantity: units(row.quantity),
    })),
    offers: tables.ProductVendor.map((row) => ({
      vendorId: row.vendorId,
      sku: known(skus, row.productId, 'product'),
      price: row.price,
      leadTimeDays: units(row.leadTime),
    })),
    orders: readOrders(tables, skus),
  };
}

function readProduct({ id, sku, name, price, cost, weight, weightUnit, color }: Row<'Product'>): Product {
  const unit = weightUnit === 'LB' ? 'lb' : weightUnit === 'G' ? 'g' : null;
  return {
    id,
    sku,
    name,
    price,
    cost,
    color,
    weight: weight === '' ? null : Number(weight),
    weightUnit: unit,
  };
}

const statuses: Record<string, OrderStatus> = { 1: 'pending', 2: 'approved', 3: 'rejected', 4: 'complete' };

function readOrders(tables: Tables, skus: ReadonlyMap<string, string>): Order[] {
  const methods = new Map(tables.ShipMethod.map(({ id, name }) => [id, name]));
  const lines = Map.groupBy(tables.PurchaseOrderDetail, ({ orderId }) => orderId);
  const vendors = new Map(tables.Vendor.map(({ id }) => [id, id]));
  return tables.PurchaseOrderHeader.map((row) => ({
    id: row.id,
    vendorId: known(vendors, row.vendorId, 'vendor'),
    status: known(new Map(Object.entries(statuses)), row.status, 'status'),
    shipMethod: known(methods, row.shipMethodId, 'ship method'),
    orderDate: day(row.orderDate),
    shipDate: day(row.shipDate),
    subtotal: new Big(row.subtotal),
    tax: new Big(row.tax),
    freight: new Big(row.freight),
    total: new Big(row.total),
    lines: (lines.get(row.id) ?? []).map((line) => readLine(line, skus)),
  }));
}

function readLine(row: Row<'PurchaseOrderDetail'>, skus: ReadonlyMap<string, string>): OrderLine {
  return {
    sku: known(skus, row.productId, 'product'),
    dueDay: day(row.due),
    ordered: units(row.ordered),
    unitPrice: row.unitPrice,
    lineTotal: new Big(row.lineTotal),
    received: units(row.received),
    rejected: units(row.rejected),
    stocked: units(row.stocked),
  };
}

function known<T>(values: ReadonlyMap<string, T>, id: string, what: string): T {
  const value = values.get(id);
  if (value === undefined) throw new Error(`the tables name a ${what} ${id} that they do not list`);
  return value;
}

/** `3.00` is three: what cannot be counted in whole units is no number of units. */
function units(text: string): number {
  const number = Number(text);
  if (text === '' || !Number.isSafeInteger(number) || number < 0)
    throw new Error(`${text} is no number of units`);
  return number;
}

/** `2022-04-29 00:00:00.000`; the files name no time zone, and UTC is taken. */
function day(text: string): string {
  const [, found] = /^(\d{4}-\d\d-\d\d) /.exec(text) ?? [];
  if (found === undefined) throw new Error(`${text} is no date`);
  return found;
}
