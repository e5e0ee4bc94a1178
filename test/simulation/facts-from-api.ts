// Reads the facts through the API alone, where the database of a service cannot be reached.
import { readList } from './check-shown.ts';
import type { Facts, Held, Level, Movement, Order, Place, StockRecord, Variant, Warehouse } from './facts.ts';
import { readPurchasing } from './purchasing-from-api.ts';
import type { Party } from './service.ts';
import type { World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely
type Json = any;

/** Only of what the run has made: others may use the same organisation. */
export async function readFactsFromApi(world: World): Promise<Facts> {
  const time = new Date();
  const facts: Facts = {
    time,
    warehouses: [],
    places: [],
    products: [],
    variants: [],
    movements: [],
    records: [],
    levels: [],
    orders: [],
    held: [],
    suppliers: [],
    purchaseOrders: [],
    arrivals: [],
  };
  for (const party of world.parties) await readParty(world, party, facts);
  return facts;
}

async function readParty(world: World, party: Party, facts: Facts): Promise<void> {
  const { organizationId } = party;
  const warehouses = await readList(party, '/warehouses?includeArchived=true');
  facts.warehouses.push(...warehouses.map((one) => warehouseOf(organizationId, one)));
  const ours = warehouses.filter(({ id }) => world.warehouseIds.includes(id));
  for (const { id } of ours) {
    const places = await readList(party, `/warehouses/${id}/locations?includeArchived=true`);
    facts.places.push(...places.map((place) => placeOf(organizationId, place)));
  }
  const variants: Variant[] = [];
  for (const { id, variantId } of world.products.get(organizationId) ?? []) {
    const answer = await party.send('GET', `/products/${id}/variants/${variantId}`);
    const variant = variantOf(organizationId, answer.body.data);
    variants.push(variant);
    facts.products.push({ organizationId, id, archived: variant.archived });
  }
  await readComponents(party, variants);
  facts.variants.push(...variants);
  for (const variant of variants) {
    if (!variant.tracksInventory || variant.isBundle) continue;
    await readStock(party, variant, ours, facts);
  }
  await readOrders(world, party, variants, facts);
  await readPurchasing(world, party, variants, facts);
}

function warehouseOf(organizationId: string, one: Json): Warehouse {
  const { id, organizationId: ownerId, priority, sharedWithChildren: shared, archivedAt } = one;
  return { organizationId, id, ownerId, priority, shared, archived: archivedAt !== null };
}

function placeOf(organizationId: string, place: Json): Place {
  const { id, warehouseId, name, type, pickable, archivedAt } = place;
  return { organizationId, id, warehouseId, name, type, pickable, archived: archivedAt !== null };
}

function variantOf(organizationId: string, one: Json): Variant {
  const isBundle = one.bomLineItems.length > 0;
  return {
    organizationId,
    id: one.id,
    productId: one.productId,
    policy: one.inventoryPolicy,
    tracksInventory: one.tracksInventory,
    isBundle,
    ships: one.requiresShipping,
    archived: one.archivedAt !== null,
    needs: isBundle
      ? one.bomLineItems.map(({ productVariantId, quantity }: Json) => ({
          productVariantId,
          perUnit: quantity,
        }))
      : one.tracksInventory
        ? [{ productVariantId: one.id, perUnit: 1 }]
        : [],
  };
}

/** Components that hold no stock are not needed. */
async function readComponents(_party: Party, variants: Variant[]): Promise<void> {
  const tracked = new Set(variants.filter((variant) => variant.tracksInventory).map(({ id }) => id));
  for (const variant of variants) {
    variant.needs = variant.needs.filter(({ productVariantId }) => tracked.has(productVariantId));
  }
}

/** An expiry that passed this long ago has surely been noticed. */
const noticedMs = 60_000;

async function readStock(party: Party, variant: Variant, warehouses: Json[], facts: Facts): Promise<void> {
  const { organizationId } = party;
  const levels = await readList(party, `/products/${variant.productId}/inventory-level`);
  facts.levels.push(...levels.map((level) => levelOf(organizationId, level)));
  const movements = await readList(
    party,
    `/inventory/movements?productVariantId=${variant.id}&sortOrder=asc`,
  );
  facts.movements.push(...movements.map((row) => movementOf(organizationId, row)));
  for (const { id: warehouseId } of warehouses) {
    const path = `/inventory/locations?productVariantIdentifier=${variant.id}&warehouseId=${warehouseId}`;
    const { body } = await party.send('GET', path);
    facts.records.push(
      ...body.data.map((row: Json) => recordOf(organizationId, warehouseId, row, facts.time)),
    );
  }
}

function levelOf(organizationId: string, level: Json): Level {
  const { onHandQuantity: onHand, reservedQuantity: reserved, damagedQuantity: damaged } = level;
  const qualityControl = level.qualityControlQuantity;
  return {
    organizationId,
    warehouseId: level.warehouse.id,
    productVariantId: level.productVariant.id,
    onHand,
    pickable: onHand - reserved - damaged - qualityControl,
    reserved,
    damaged,
    qualityControl,
    committed: level.committedQuantity,
    safetyStock: level.safetyStockQuantity,
    incoming: level.incomingQuantity,
    available: level.availableQuantity,
  };
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

function movementOf(organizationId: string, row: Json): Movement {
  const { id, warehouseId, productVariantId, quantity, lotNumber, reason, referenceType, referenceId } = row;
  return {
    organizationId,
    id,
    warehouseId,
    productVariantId,
    from: row.fromWarehouseLocationId,
    to: row.toWarehouseLocationId,
    quantity,
    lotNumber,
    expirationDate: dateOf(row.expirationDate),
    reason,
    referenceType,
    referenceId,
    createdAt: new Date(row.createdAt),
  };
}

function recordOf(organizationId: string, warehouseId: string, row: Json, now: Date): StockRecord {
  const { id, warehouseLocationId, productVariantId, lotNumber, quantity } = row;
  const expirationDate = dateOf(row.expirationDate);
  const age = expirationDate === null ? -1 : now.getTime() - expirationDate.getTime();
  return {
    organizationId,
    id,
    warehouseId,
    warehouseLocationId,
    productVariantId,
    lotNumber,
    expirationDate,
    quantity,
    expired: age < 0 ? false : age > noticedMs ? true : undefined,
    updatedAt: new Date(row.updatedAt),
  };
}

async function readOrders(world: World, party: Party, variants: Variant[], facts: Facts): Promise<void> {
  const list = await readList(
    party,
    `/orders?includeArchived=true&search=${world.prefix}-&sortBy=createdAt&sortOrder=asc`,
  );
  const byId = new Map(variants.map((variant) => [variant.id, variant]));
  for (const { id } of list) {
    const [{ body: order, headers }, { body: allocations }, { body: events }] = await Promise.all([
      party.send('GET', `/orders/${id}`),
      party.send('GET', `/orders/${id}/allocations`),
      party.send('GET', `/events?objectId=${id}&limit=100`),
    ]);
    const stored = orderOf(order.data, byId);
    facts.orders.push({ ...stored, version: versionOf(headers), ...pastOf(stored, events.data) });
    facts.held.push(...allocations.data.map((row: Json) => heldOf(party.organizationId, row)));
  }
}

/** What only its events tell of an order. */
function pastOf({ fulfillmentStatus }: Order, events: Json[]): Pick<Order, 'createdAs' | 'statusBeforeHold'> {
  const held = events.findLast(({ data }) => data.previous && data.previous.fulfillmentStatus !== 'on-hold');
  return {
    createdAs: events.find(({ type }) => type === 'order.created')?.data.object.fulfillmentStatus,
    statusBeforeHold:
      fulfillmentStatus === 'on-hold' ? (held?.data.previous.fulfillmentStatus ?? null) : null,
  };
}

/** Of a record, from its ETag. */
export function versionOf(headers: Record<string, unknown>): number {
  return Number(String(headers['etag']).replaceAll('"', ''));
}

function heldOf(organizationId: string, row: Json): Held {
  const { lineItemId: lineId, warehouseId, productVariantId, quantity: units } = row;
  return { organizationId, lineId, warehouseId, productVariantId, units };
}

function orderOf(order: Json, variants: ReadonlyMap<string, Variant>): Order {
  const { organizationId, id, name, alias, financialStatus, fulfillmentStatus, warehouseId, readyToShip } =
    order;
  return {
    organizationId,
    id,
    name,
    alias,
    version: 0,
    financialStatus,
    fulfillmentStatus,
    statusBeforeHold: null,
    holdReason: order.holdReason,
    warehouseId,
    orderDate: new Date(order.orderDate),
    cancelled: order.cancelledAt !== null,
    archived: order.archivedAt !== null,
    readyToShip,
    createdAs: undefined,
    lines: order.lineItems.map((line: Json, position: number) => ({
      id: line.id,
      position,
      productVariantId: line.productVariant.id,
      quantity: line.quantity,
      allocated: line.quantityAllocated,
      backordered: line.quantityBackordered,
      fulfilled: line.quantityFulfilled,
      cancelled: line.quantityCancelled,
      ships: variants.get(line.productVariant.id)?.ships ?? true,
      needs: variants.get(line.productVariant.id)?.needs ?? [],
    })),
  };
}
