// Commands that hold, release, cancel, archive and fulfil orders.
import fc from 'fast-check';
import { type Asked, type Command, chooseOrder, command, nth, partyWith, type Seen } from './command.ts';
import {
  type Facts,
  type Held,
  type Line,
  levelKey,
  type Order,
  openUnits,
  type Place,
  type StockRecord,
} from './facts.ts';

const n = fc.nat(999);

/** An action on an order, and what must come of it. */
function action(
  name: string,
  weight: number,
  fits: (order: Order) => boolean,
  must: (order: Order) => string | undefined,
): Command {
  return command({
    name: `${name} order`,
    weight,
    data: fc.record({ order: n }),
    ask: ({ order: which }, seen) => {
      const order = chooseOrder(seen, which, fits);
      return order === undefined ? undefined : act(seen, order, name, {}, must(order));
    },
  });
}

function act(seen: Seen, order: Order, name: string, body: object, must: string | undefined): Asked {
  const party = partyWith(seen, order.organizationId);
  return { party, path: `/orders/${order.id}/${name}`, body, may: ['invalid_transition'], must };
}

const isHeld = (order: Order) => order.fulfillmentStatus === 'on-hold' && !order.cancelled;
const canBeHeld = (order: Order) =>
  !order.cancelled && !['on-hold', 'fulfilled'].includes(order.fulfillmentStatus);

const holdOrder = command({
  name: 'hold order',
  weight: 3,
  data: fc.record({ order: n }),
  ask: ({ order: which }, seen) => {
    const order = chooseOrder(seen, which, canBeHeld);
    if (order === undefined) return undefined;
    const must = canBeHeld(order) ? 'ok' : 'invalid_transition';
    return act(seen, order, 'hold', { reason: 'fraud-risk' }, must);
  },
});

const releaseOrder = action('release', 4, isHeld, (order) => (isHeld(order) ? 'ok' : 'invalid_transition'));
const archiveOrder = action(
  'archive',
  1,
  () => true,
  () => 'ok',
);
const restoreOrder = action(
  'restore',
  1,
  (order) => order.archived,
  () => 'ok',
);

const cancelOrder = command({
  name: 'cancel order',
  weight: 4,
  data: fc.record({ order: n, remaining: fc.boolean() }),
  ask: ({ order: which, remaining }, seen) => {
    const order = chooseOrder(seen, which, (one) => !one.cancelled && one.fulfillmentStatus !== 'fulfilled');
    if (order === undefined) return undefined;
    return act(seen, order, 'cancel', { remaining }, cancelOutcome(order, remaining));
  },
});

function cancelOutcome(order: Order, remaining: boolean): string {
  const status = order.statusBeforeHold ?? order.fulfillmentStatus;
  const shipped = ['partially-fulfilled', 'fulfilled'].includes(status);
  const open = order.lines.some((line) => openUnits(line) > 0);
  if (order.cancelled || (shipped && (!remaining || !open))) return 'invalid_transition';
  return 'ok';
}

const fulfillable = (order: Order) =>
  ['open', 'confirmed', 'partially-fulfilled'].includes(order.fulfillmentStatus) &&
  !order.cancelled &&
  order.lines.some((line) => line.allocated > 0);

const refusals = ['invalid_transition', 'insufficient_stock', 'quantity_exceeded', 'invalid_parameters'];

const fulfilAll = command({
  name: 'fulfil order',
  weight: 8,
  data: fc.record({ order: n }),
  ask: ({ order: which }, seen) => {
    const order = chooseOrder(seen, which, fulfillable);
    if (order === undefined) return undefined;
    const asked = act(seen, order, 'fulfillments', {}, fulfilOutcome(order, seen.facts));
    return { ...asked, may: refusals };
  },
});

/** Undefined where what is allocated may not be there: it was sold beyond what there is. */
function fulfilOutcome(order: Order, { held, levels }: Facts): string | undefined {
  if (order.cancelled || ['on-hold', 'scheduled', 'fulfilled'].includes(order.fulfillmentStatus)) {
    return 'invalid_transition';
  }
  if (leavingLines(order).every((line) => line.allocated === 0)) return 'insufficient_stock';
  const lineIds = new Set(order.lines.map(({ id }) => id));
  const mine = held.filter(({ lineId }) => lineIds.has(lineId)).map(levelKey);
  const beyond = levels.some((level) => mine.includes(levelKey(level)) && level.committed > level.pickable);
  return beyond ? undefined : 'ok';
}

/** Lines that are not shipped leave with the last that is. */
function leavingLines({ lines }: Order): Line[] {
  const shipped = lines.filter(({ ships }) => ships);
  return shipped.some((line) => openUnits(line) > 0) ? shipped : lines;
}

const fulfilPart = command({
  name: 'fulfil part of an order',
  weight: 8,
  data: fc.record({
    order: n,
    line: n,
    quantity: fc.integer({ min: 1, max: 5 }),
    picks: fc.boolean(),
    bin: n,
  }),
  ask: ({ order: which, line: index, quantity, picks, bin }, seen) => {
    const order = chooseOrder(seen, which, fulfillable);
    const line = order === undefined ? undefined : nth(order.lines, index);
    if (order === undefined || line === undefined) return undefined;
    const taken = line.allocated === 0 ? quantity : Math.min(quantity, line.allocated);
    const chosen = picks ? picksFor(seen.facts, line, taken, bin) : undefined;
    const lineItem = {
      lineItemId: line.id,
      quantity: taken,
      ...(chosen === undefined ? {} : { picks: chosen }),
    };
    const must = partOutcome(seen.facts, order, line, taken, chosen !== undefined);
    return { ...act(seen, order, 'fulfillments', { lineItems: [lineItem] }, must), may: refusals };
  },
});

/** Undefined where the units of others, an expiry or what leaves along with it may be in the way. */
function partOutcome(
  facts: Facts,
  order: Order,
  line: Line,
  quantity: number,
  picked: boolean,
): string | undefined {
  if (order.cancelled || ['on-hold', 'scheduled', 'fulfilled'].includes(order.fulfillmentStatus)) {
    return 'invalid_transition';
  }
  if (quantity > openUnits(line)) return 'quantity_exceeded';
  if (quantity > line.allocated) return 'insufficient_stock';
  const alone = order.lines.length === 1 && line.needs[0]?.productVariantId === line.productVariantId;
  if (!alone) return undefined;
  const there = facts.held
    .filter(({ lineId }) => lineId === line.id)
    .map((held) => Math.min(held.units, soundUnits(facts, held)));
  return picked || there.reduce((sum, units) => sum + units, 0) >= quantity ? 'ok' : undefined;
}

/** Units that can be picked in a warehouse and do not expire in this run. */
function soundUnits({ records, places }: Facts, held: Held): number {
  return records
    .filter((record) => levelKey(record) === levelKey(held) && lasts(record))
    .filter((record) => placeOf(places, record)?.pickable === true)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}

const lasts = ({ expirationDate }: StockRecord) =>
  expirationDate === null || expirationDate.getFullYear() > 2080;

function placeOf(places: readonly Place[], record: StockRecord): Place | undefined {
  const { organizationId, warehouseLocationId } = record;
  const place = places.find((one) => one.organizationId === organizationId && one.id === warehouseLocationId);
  return place?.type === 'damaged' || place?.type === 'quality-control' ? undefined : place;
}

function picksFor(facts: Facts, line: Line, quantity: number, n: number) {
  const plain = line.needs.length === 1 && line.needs[0]!.perUnit === 1;
  return plain ? picksAround(facts, line, quantity, n) : picksFromOne(facts, line, quantity, n);
}

/** Units of a plain line from record after record, in every warehouse that holds some for it. */
function picksAround({ records, held }: Facts, line: Line, quantity: number, n: number) {
  const own = held.filter(({ lineId, units }) => lineId === line.id && units > 0);
  const left = new Map(own.map((one) => [levelKey(one), one.units]));
  const sound = records.filter(
    (record) => record.quantity > 0 && left.has(levelKey(record)) && lasts(record),
  );
  const picks = [];
  let missing = quantity;
  for (const record of [
    ...sound.slice(n % (sound.length || 1)),
    ...sound.slice(0, n % (sound.length || 1)),
  ]) {
    const units = Math.min(missing, record.quantity, left.get(levelKey(record))!);
    if (units === 0) continue;
    missing -= units;
    left.set(levelKey(record), left.get(levelKey(record))! - units);
    const { warehouseLocationId, lotNumber } = record;
    picks.push({ warehouseLocationId, quantity: units, ...(lotNumber === null ? {} : { lotNumber }) });
  }
  return missing > 0 || picks.length === 0 ? undefined : picks;
}

/** Whole units of each variant from one record where the line holds some; any kind of place will do. */
function picksFromOne({ records, held }: Facts, line: Line, quantity: number, n: number) {
  const picks = line.needs.map(({ productVariantId, perUnit }) => {
    const holding = held.filter((one) => one.lineId === line.id && one.productVariantId === productVariantId);
    const there = records.filter(
      (record) =>
        record.quantity >= quantity * perUnit && holding.some((one) => levelKey(one) === levelKey(record)),
    );
    const record = nth(there, n);
    if (record === undefined) return undefined;
    return {
      warehouseLocationId: record.warehouseLocationId,
      productVariantId,
      quantity: quantity * perUnit,
      ...(record.lotNumber === null ? {} : { lotNumber: record.lotNumber }),
    };
  });
  const known = picks.filter((pick) => pick !== undefined);
  return known.length === 0 || known.length < picks.length ? undefined : known;
}

const cancelFulfillment = command({
  name: 'cancel fulfilment',
  weight: 7,
  data: fc.record({ fulfillment: n }),
  ask: ({ fulfillment: which }, seen) => {
    const open = seen.facts.hidden?.fulfillments.filter((one) => !one.cancelled) ?? [];
    const chosen = nth(which % 8 === 7 || open.length === 0 ? seen.memory.fulfillments : open, which);
    if (chosen === undefined) return undefined;
    const { organizationId, orderId, id } = chosen;
    return {
      party: partyWith(seen, organizationId),
      path: `/orders/${orderId}/fulfillments/${id}/cancel`,
      body: {},
      may: ['invalid_transition'],
      must: open.some((one) => one.id === id) ? 'ok' : undefined,
    };
  },
});

export const fulfillingCommands: Command[] = [
  holdOrder,
  releaseOrder,
  archiveOrder,
  restoreOrder,
  cancelOrder,
  fulfilAll,
  fulfilPart,
  cancelFulfillment,
];
