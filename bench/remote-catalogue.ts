// Makes what the scenarios need in a service that is up already, through its API; found again by a second run.
import type { Catalogue } from './catalogue.ts';

const variants = 100;
const customers = 20;
const stock = 10_000_000;

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
type Json = any;

export async function findCatalogue(url: string, key: string): Promise<Catalogue> {
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok)
      throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const skus = Array.from({ length: variants }, (_, n) => `BENCH-${n}`);
  const { data: known } = await call('GET', '/products?search=bench-99&limit=1');
  if (known.length === 0) await makeStock(call, skus);
  const customerIds: string[] = [];
  for (let n = 0; n < customers; n += 1) {
    const { data } = await call('POST', '/customers', { name: `Bench ${n}`, email: `bench${n}@example.com` });
    customerIds.push(data.id);
  }
  return { skus, customerIds };
}

async function makeStock(
  call: (method: string, path: string, body?: object) => Promise<Json>,
  skus: string[],
): Promise<void> {
  const { data: warehouse } = await call('POST', '/warehouses', { name: 'Bench' });
  const { data: location } = await call('POST', `/warehouses/${warehouse.id}/locations`, { name: 'BENCH-1' });
  for (const sku of skus) {
    await call('POST', '/products', { name: `Bench ${sku}`, variants: [{ title: 'Default', sku }] });
  }
  await call('POST', '/inventory/bulk', {
    changes: skus.map((sku) => ({
      productVariantIdentifier: sku,
      warehouseId: warehouse.id,
      warehouseLocationId: location.id,
      changeQuantity: stock,
    })),
  });
}
