// Records that a test needs but is not about, made through the API with as little said as possible.
import assert from 'node:assert/strict';
import type { Request } from './app.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;
type Fields = Record<string, unknown>;

let made = 0;

/** A word that no other record of this process has. */
export function unique(prefix: string): string {
  made += 1;
  return `${prefix}${made}`;
}

/** Sends a POST that must succeed, and returns the record. */
export async function make(request: Request, path: string, body?: unknown): Promise<Json> {
  const answer = await request('POST', path, body);
  assert.equal(answer.status, 200, `POST ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body.data;
}

export const makeCustomer = (request: Request, fields: Fields = {}): Promise<Json> =>
  make(request, '/customers', { name: unique('Customer '), ...fields });

export const makeWarehouse = (request: Request, fields: Fields = {}): Promise<Json> =>
  make(request, '/warehouses', { name: unique('Warehouse '), ...fields });

export const makeWebhookEndpoint = (request: Request, fields: Fields = {}): Promise<Json> =>
  make(request, '/webhook-endpoints', { url: `https://example.com/${unique('hook')}`, ...fields });

export const makeCarrierAccount = (request: Request, fields: Fields = {}): Promise<Json> =>
  make(request, '/carrier-accounts', {
    carrierCode: 'vans',
    description: unique('Our vans '),
    kind: 'rate-card',
    ...fields,
  });

export const makeLocation = (request: Request, warehouseId: string, fields: Fields = {}): Promise<Json> =>
  make(request, `/warehouses/${warehouseId}/locations`, { name: unique('BIN-'), ...fields });

/** A product; `variants` are filled up with a title and a sku. */
export function makeProduct(request: Request, fields: Fields = {}, variants: Fields[] = [{}]): Promise<Json> {
  const filled = variants.map((variant) => ({ title: 'Default', sku: unique('SKU-'), ...variant }));
  return make(request, '/products', { name: unique('Product '), variants: filled, ...fields });
}

/** The only variant of a product of its own. */
export async function makeVariant(request: Request, fields: Fields = {}): Promise<Json> {
  const product = await makeProduct(request, {}, [fields]);
  return product.variants[0];
}

/** A bundle of `components` (variant id -> units in one bundle); returns its only variant. */
export async function makeBundle(
  request: Request,
  components: Record<string, number>,
  fields: Fields = {},
): Promise<Json> {
  const bomLineItems = Object.entries(components).map(([productVariantId, quantity]) => ({
    productVariantId,
    quantity,
  }));
  const product = await makeProduct(request, { isBundle: true, bomLineItems }, [fields]);
  return product.variants[0];
}

export interface Place {
  warehouseId: string;
  warehouseLocationId: string;
}

/** A warehouse with one bin. */
export async function makePlace(request: Request, fields: Fields = {}): Promise<Place> {
  const warehouse = await makeWarehouse(request, fields);
  const location = await makeLocation(request, warehouse.id);
  return { warehouseId: warehouse.id, warehouseLocationId: location.id };
}

/** Puts units of a variant at a place (negative: takes them out); returns the location's record. */
export const addStock = (
  request: Request,
  place: Place,
  productVariantIdentifier: string,
  changeQuantity: number,
  fields: Fields = {},
): Promise<Json> => {
  const { warehouseId, warehouseLocationId } = place;
  const body = { productVariantIdentifier, warehouseId, warehouseLocationId, changeQuantity, ...fields };
  return make(request, '/inventory', body);
};

/** An order; `lines` names a variant's id and how many of it. */
export function makeOrder(
  request: Request,
  fields: Fields = {},
  lines: [productVariantId: string, quantity: number][] = [],
): Promise<Json> {
  const lineItems = lines.map(([productVariantId, quantity]) => ({ productVariantId, quantity }));
  const body = { name: 'SO-', price: 10, orderDate: '2026-01-02T03:04:05Z', lineItems, ...fields };
  return make(request, '/orders', body);
}

/** The one level of a variant in a warehouse, or undefined. */
export async function levelOf(request: Request, warehouseId: string, variant: Json): Promise<Json> {
  const answer = await request(
    'GET',
    `/products/${variant.productId}/inventory-level?warehouseId=${warehouseId}&limit=100`,
  );
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.find((level: Json) => level.productVariant.id === variant.id);
}

/** A variant of its own with units in one bin; `level` reads its level there. */
export async function makeStocked(request: Request, units: number, fields: Fields = {}) {
  const place = await makePlace(request);
  const variant = await makeVariant(request, fields);
  if (units > 0) await addStock(request, place, variant.id, units);
  return { place, variant, level: (): Promise<Json> => levelOf(request, place.warehouseId, variant) };
}
