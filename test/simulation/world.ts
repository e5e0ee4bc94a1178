// What a run begins with: warehouses, variants, bundles, a little stock and some on its way, of a parent and of its client.
import type { Answer, Party, Service } from './service.ts';

export interface World {
  parties: readonly [parent: Party, child: Party];
  /** What the names of its orders and records begin with. */
  prefix: string;
  /** Ids of its products, by organisation. */
  products: Map<string, { id: string; variantId: string }[]>;
  /** Ids of the warehouses that it made. */
  warehouseIds: string[];
  /** Words for ids, in what is told of a run. */
  names: Map<string, string>;
  startedAt: Date;
}

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely
type Json = any;

export async function make(party: Party, path: string, body: unknown): Promise<Json> {
  const answer: Answer = await party.send('POST', path, body);
  if (answer.status !== 200) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body.data;
}

/** Far enough away that no run sees it. */
export const farAway = ['2090-01-01T00:00:00.000Z', '2091-01-01T00:00:00.000Z'];

let worlds = 0;

export async function makeWorld(service: Service): Promise<World> {
  worlds += 1;
  const prefix = `SIM${Date.now().toString(36)}${worlds}`.toUpperCase();
  const parties = await service.parties();
  const names = new Map([
    [parties[0].organizationId, 'parent'],
    [parties[1].organizationId, 'child'],
  ]);
  const world: World = {
    parties,
    prefix,
    products: new Map(),
    warehouseIds: [],
    names,
    startedAt: new Date(),
  };
  const [parent, child] = parties;
  await makeWarehouse(world, parent, 'W0', { priority: 1 });
  await makeWarehouse(world, parent, 'W1', { priority: 2, sharedWithChildren: true });
  // Nobody has any stock there, so that it can be archived or shared, and its levels do not exist.
  await makeWarehouse(world, parent, 'W2', { priority: 3 }, ['X']);
  await makeWarehouse(world, child, 'C0', { priority: 5 });
  const a = await makeProduct(world, parent, 'A', { inventoryAllocationStrategy: 'FIFO' });
  const b = await makeProduct(world, parent, 'B', { inventoryAllocationStrategy: 'FEFO' });
  const c = await makeProduct(world, parent, 'C', { inventoryAllocationStrategy: 'LIFO' });
  const more = await makeProduct(world, parent, 'MORE', { inventoryPolicy: 'continue' });
  const air = await makeProduct(world, parent, 'AIR', { tracksInventory: false });
  await makeProduct(world, parent, 'CODE', { requiresShipping: false });
  await makeProduct(world, parent, 'SET', {}, { [a]: 1, [b]: 2 });
  await makeProduct(world, parent, 'KIT', {}, { [b]: 1, [c]: 1, [air]: 1 });
  await makeProduct(world, parent, 'BOX', {}, { [more]: 2, [a]: 1 });
  const d = await makeProduct(world, child, 'D', {});
  const e = await makeProduct(world, child, 'E', { inventoryAllocationStrategy: 'FEFO' });
  await makeProduct(world, child, 'DUO', {}, { [d]: 1, [e]: 1 });
  await stock(world, parent, [a, b, c, more], ['W0/A', 'W1/A']);
  await stock(world, child, [d, e], ['C0/A', 'W1/B']);
  await order(world, parent, 'S0', 'W0', [a, b, a], ['open', 'confirm']);
  await order(world, parent, 'S1', 'W1', [c, air], ['open', 'confirm']);
  await order(world, parent, 'S2', 'W0', [b, more], ['open']);
  await order(world, parent, 'S3', 'W1', [a, c, a], []);
  await order(world, child, 'S4', 'W1', [d, e], ['open', 'confirm']);
  await order(world, child, 'S5', 'C0', [e, d], ['open']);
  return world;
}

/** A supplier, and a purchase order to it. */
async function order(
  world: World,
  party: Party,
  name: string,
  warehouse: string,
  variantIds: readonly string[],
  moves: readonly string[],
): Promise<void> {
  const supplier = await make(party, '/suppliers', { name: `${world.prefix} ${name}` });
  world.names.set(supplier.id, name);
  const made = await make(party, '/purchase-orders', {
    name: `${world.prefix}P-`,
    supplierId: supplier.id,
    warehouseId: idOf(world, warehouse),
    lineItems: variantIds.map((productVariantId) => {
      return { productVariantId, requestedQuantity: 6, unitPrice: 2.5, taxRate: 0.2 };
    }),
  });
  world.names.set(made.id, made.name);
  for (const move of moves) await make(party, `/purchase-orders/${made.id}/${move}`, {});
}

/** The id of what has a name in what is told. */
export function idOf({ names }: World, name: string): string {
  return [...names].find(([, one]) => one === name)![0];
}

async function stock(
  world: World,
  party: Party,
  variantIds: readonly string[],
  places: string[],
): Promise<void> {
  const changes = places.flatMap((place, n) =>
    variantIds.map((productVariantIdentifier) => ({
      productVariantIdentifier,
      warehouseId: idOf(world, place.split('/')[0]!),
      warehouseLocationId: idOf(world, place),
      changeQuantity: 4 - n,
      ...(n === 0 ? { lotNumber: 'L1', expirationDate: farAway[0] } : {}),
      reason: 'opening',
    })),
  );
  await make(party, '/inventory/bulk', { changes });
}

/** With bins beside the three locations that every warehouse has. */
async function makeWarehouse(
  world: World,
  party: Party,
  name: string,
  fields: object,
  bins = ['A', 'B', 'STAGING', 'RETURNS'],
): Promise<void> {
  const warehouse = await make(party, '/warehouses', { name: `${world.prefix} ${name}`, ...fields });
  world.warehouseIds.push(warehouse.id);
  world.names.set(warehouse.id, name);
  for (const [index, bin] of bins.entries()) {
    const type = { STAGING: 'staging', RETURNS: 'returns' }[bin] ?? 'bin';
    const path = `/warehouses/${warehouse.id}/locations`;
    const location = await make(party, path, { name: bin, type, sequence: 10 - index });
    world.names.set(location.id, `${name}/${bin}`);
  }
  const all = await party.send('GET', `/warehouses/${warehouse.id}/locations?limit=100`);
  for (const { id, name: bin } of all.body.data) world.names.set(id, `${name}/${bin}`);
}

/** Returns the id of its only variant. */
async function makeProduct(
  world: World,
  party: Party,
  name: string,
  fields: object,
  components?: Record<string, number>,
): Promise<string> {
  const bomLineItems = Object.entries(components ?? {}).map(([productVariantId, quantity]) => ({
    productVariantId,
    quantity,
  }));
  const product = await make(party, '/products', {
    name: `${world.prefix} ${name}`,
    ...(components === undefined ? {} : { isBundle: true, bomLineItems }),
    variants: [{ title: `${world.prefix} ${name}`, sku: `${world.prefix}-${name}`, price: 5, ...fields }],
  });
  const variantId: string = product.variants[0].id;
  const own = world.products.get(party.organizationId) ?? [];
  world.products.set(party.organizationId, [...own, { id: product.id, variantId }]);
  world.names.set(variantId, name);
  world.names.set(product.id, `product ${name}`);
  return variantId;
}
