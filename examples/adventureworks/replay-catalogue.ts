// Plays what is there before anything is ordered: warehouse and bins, vendors, products, offers, and what the bins hold.
import type { Client } from '../support/client.ts';
import { createLane } from '../support/lane.ts';
import type { Progress } from '../support/progress.ts';
import { create, findNamed, type Named } from '../support/records.ts';
import { count, type Tally, unlessThere } from '../support/tally.ts';
import { idsByName, isOpened, type KnownVariant, variantsAlready } from './already.ts';
import type { Works } from './read-works.ts';

export interface Run {
  client: Client;
  works: Works;
  progress: Progress;
  connections: number;
}

export interface Place {
  warehouseId: string;
  /** Bin -> id of the location. */
  locations: Map<string, string>;
}

/** Does the same for each item, a few at a time, and counts what was made. */
export async function forEach<T>(
  { connections, progress }: Run,
  what: string,
  items: readonly T[],
  work: (item: T) => Promise<boolean>,
): Promise<Tally> {
  const tally: Tally = { done: 0, already: 0 };
  progress.start(what, items.length);
  const lane = createLane(connections);
  for (const item of items) await lane.add(async () => count(tally, await work(item), progress));
  await lane.done();
  return tally;
}

export async function ensureWarehouse({ client, works }: Run): Promise<string> {
  // Named after the content: two folders on one service keep their stock and orders apart.
  const name = `ADVENTUREWORKS-${works.digest.slice(0, 8)}`;
  const known = await findNamed(client, '/warehouses', name);
  return (known ?? (await create<Named>(client, '/warehouses', 'warehouse', { name }))).id;
}

export async function createBins(run: Run, warehouseId: string): Promise<Place & { tally: Tally }> {
  const { client, works } = run;
  const path = `/warehouses/${warehouseId}/locations`;
  const locations = await idsByName(client, path);
  const bins = [...new Set(works.bins.map(({ bin }) => bin))];
  const tally = await forEach(run, 'bins', bins, async (name) => {
    if (locations.has(name)) return false;
    const type = name.includes('-N/A-') ? 'floor' : 'shelf';
    const made = await create<Named>(client, path, `bin ${name}`, { name, type });
    locations.set(name, made.id);
    return true;
  });
  return { warehouseId, locations, tally };
}

/** Vendor -> id of the supplier. */
export async function createSuppliers(run: Run): Promise<{ ids: Map<string, string>; tally: Tally }> {
  const { client, works } = run;
  const named = await idsByName(client, '/suppliers', { includeArchived: 'true' });
  const ids = new Map<string, string>();
  const tally = await forEach(run, 'vendors', works.vendors, async (vendor) => {
    const known = named.get(vendor.name);
    const { accountNumber, creditRating, preferred, url } = vendor;
    const body = {
      name: vendor.name,
      metadata: { vendorId: vendor.id, accountNumber, creditRating, preferred: String(preferred), url },
    };
    const id = known ?? (await create<Named>(client, '/suppliers', `vendor ${vendor.id}`, body)).id;
    ids.set(vendor.id, id);
    return known === undefined;
  });
  return { ids, tally };
}

/** Vendors that are no longer bought from; done last, for their orders are still to be played. */
export async function archiveSuppliers(run: Run, ids: ReadonlyMap<string, string>): Promise<void> {
  for (const vendor of run.works.vendors.filter(({ active }) => !active)) {
    const path = `/suppliers/${ids.get(vendor.id)}`;
    await run.client.post(path, `archive ${vendor.id}`, { archived: true });
  }
}

export async function createProducts(run: Run) {
  const { client, works } = run;
  const variants = await variantsAlready(client);
  const tally = await forEach(run, 'products', works.products, async (product) => {
    if (variants.has(product.sku)) return false;
    const { sku, name, weight, weightUnit, color } = product;
    const measured = weight === null || weightUnit === null ? {} : { weight, weightUnit };
    const priced = { price: Number(product.price), costPrice: Number(product.cost) };
    const metadata = { productId: product.id, ...(color === '' ? {} : { color }) };
    const body = { name, metadata, variants: [{ title: name, sku, ...priced, ...measured }] };
    const made = await create<{ variants: { id: string }[] }>(client, '/products', `sku ${sku}`, body);
    variants.set(sku, { id: made.variants[0]!.id, supplierIds: new Set() });
    return true;
  });
  return { variants, tally };
}

export function createOffers(
  run: Run,
  variants: ReadonlyMap<string, KnownVariant>,
  supplierIds: ReadonlyMap<string, string>,
): Promise<Tally> {
  return forEach(run, 'offers', run.works.offers, async ({ vendorId, sku, price, leadTimeDays }) => {
    const supplierId = supplierIds.get(vendorId)!;
    const variant = variants.get(sku)!;
    if (variant.supplierIds.has(supplierId)) return false;
    const body = { productVariantId: variant.id, price: Number(price), leadTimeDays };
    return unlessThere('supplier_product_taken', () =>
      run.client.post(`/suppliers/${supplierId}/products`, `offer ${vendorId} ${sku}`, body),
    );
  });
}

const openingReason = 'opening stock';
// What one request takes.
const changesMax = 10_000;

export async function openStock(run: Run, { warehouseId, locations }: Place): Promise<Tally> {
  const filled = run.works.bins.filter(({ quantity }) => quantity > 0);
  const batches = Array.from({ length: Math.ceil(filled.length / changesMax) }, (_, n) =>
    filled.slice(n * changesMax, (n + 1) * changesMax),
  );
  return forEach({ ...run, connections: 1 }, 'stock of bins', [...batches.entries()], async ([n, batch]) => {
    const reason = n === 0 ? openingReason : `${openingReason} ${n}`;
    if (await isOpened(run.client, warehouseId, reason)) return false;
    const changes = batch.map(({ sku, bin, quantity }) => ({
      productVariantIdentifier: sku,
      identifierType: 'sku',
      warehouseId,
      warehouseLocationId: locations.get(bin),
      changeQuantity: quantity,
      reason,
    }));
    return !(await run.client.post('/inventory/bulk', reason, { changes })).replayed;
  });
}
