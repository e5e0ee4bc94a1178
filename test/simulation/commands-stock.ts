// Commands that add, remove, move and count units, one at a time and many at once.
import fc from 'fast-check';
import {
  type Asked,
  type Command,
  command,
  nth,
  partyOf,
  partyWith,
  type Seen,
  stockedVariantsOf,
  unitsAt,
  warehousesOf,
} from './command.ts';
import type { Place, StockRecord } from './facts.ts';
import type { Party } from './service.ts';
import { farAway } from './world.ts';

const n = fc.nat(999);

/** When a lot expires; `soon` is a few hundred milliseconds, so that it happens during the run. */
const expiry = fc.oneof(
  { weight: 5, arbitrary: fc.constant('never' as const) },
  { weight: 2, arbitrary: fc.constant('far' as const) },
  { weight: 1, arbitrary: fc.constant('past' as const) },
  { weight: 3, arbitrary: fc.integer({ min: 50, max: 1_500 }) },
);
const lot = fc.record({ number: fc.option(fc.constantFrom('L1', 'L2')), expiry });
type Lot = typeof lot extends fc.Arbitrary<infer Data> ? Data : never;

function lotFields({ number, expiry: when }: Lot, index: number) {
  const expirationDate =
    when === 'never'
      ? null
      : when === 'far'
        ? farAway[index % 2]
        : when === 'past'
          ? '2020-01-01T00:00:00.000Z'
          : new Date(Date.now() + when).toISOString();
  return { lotNumber: number, expirationDate };
}

function placesOf(seen: Seen, party: Party): Place[] {
  const warehouses = new Set(warehousesOf(seen, party).map(({ id }) => id));
  return seen.facts.places.filter(
    (place) => place.organizationId === party.organizationId && warehouses.has(place.warehouseId),
  );
}

const addition = fc.record({
  variant: n,
  place: n,
  quantity: fc.integer({ min: 1, max: 8 }),
  lot,
  /** More of the lot of the n-th record, which may be empty or expired. */
  again: fc.option(n, { freq: 2 }),
});
type Addition = typeof addition extends fc.Arbitrary<infer Data> ? Data : never;

function additionBody(seen: Seen, party: Party, data: Addition, reason: string) {
  const record = data.again === null ? undefined : nth(recordsOf(seen, party), data.again);
  const variant = nth(stockedVariantsOf(seen, party), data.variant);
  const place = nth(placesOf(seen, party), data.place);
  if (variant === undefined || place === undefined) return undefined;
  if (record !== undefined) {
    const location = seen.facts.places.find(({ id }) => id === record.warehouseLocationId)!;
    return { body: recordBody(record, data.quantity, reason, true), place: location };
  }
  const { warehouseId, id: warehouseLocationId } = place;
  const body = {
    productVariantIdentifier: variant.id,
    warehouseId,
    warehouseLocationId,
    changeQuantity: data.quantity,
    reason,
    ...lotFields(data.lot, data.variant),
  };
  return { body, place };
}

function recordsOf({ facts }: Seen, { organizationId }: Party): StockRecord[] {
  return facts.records.filter((record) => record.organizationId === organizationId);
}

const refusals = ['insufficient_stock', 'stale_quantity', 'archived', 'invalid_parameters'];

const addUnits = command({
  name: 'add units',
  weight: 10,
  ofStock: true,
  data: fc.record({ who: n, addition }),
  ask: ({ who, addition: data }, seen): Asked | undefined => {
    const party = partyOf(seen, who);
    const made = additionBody(seen, party, data, seen.tag);
    if (made === undefined) return undefined;
    return {
      party,
      path: '/inventory',
      body: made.body,
      may: ['archived', 'invalid_parameters'],
      must: made.place.archived ? 'archived' : 'ok',
      ledger: { reason: seen.tag, units: data.quantity },
    };
  },
});

/** A change of what a record holds: its lot is named or not. */
function recordBody(record: StockRecord, changeQuantity: number, reason: string, named: boolean) {
  return {
    productVariantIdentifier: record.productVariantId,
    warehouseId: record.warehouseId,
    warehouseLocationId: record.warehouseLocationId,
    changeQuantity,
    reason,
    ...(named
      ? { lotNumber: record.lotNumber, expirationDate: record.expirationDate?.toISOString() ?? null }
      : {}),
  };
}

function stockedRecords({ facts }: Seen): StockRecord[] {
  return facts.records.filter(({ quantity }) => quantity > 0);
}

/** The units of its variant at its place that a change which names (or does not name) its lot is about. */
function unitsMeant({ facts }: Seen, record: StockRecord, named: boolean): number {
  return unitsAt(facts, named ? record : { ...record, lotNumber: null, expirationDate: null });
}

const removeUnits = command({
  name: 'remove units',
  weight: 5,
  ofStock: true,
  data: fc.record({ record: n, quantity: fc.integer({ min: 1, max: 6 }), named: fc.boolean() }),
  ask: ({ record: which, quantity, named }, seen): Asked | undefined => {
    const record = nth(stockedRecords(seen), which);
    if (record === undefined) return undefined;
    return {
      party: partyWith(seen, record.organizationId),
      path: '/inventory',
      body: recordBody(record, -quantity, seen.tag, named),
      may: ['insufficient_stock'],
      must: unitsMeant(seen, record, named) < quantity ? 'insufficient_stock' : 'ok',
      ledger: { reason: seen.tag, units: -quantity },
    };
  },
});

const moveUnits = command({
  name: 'move units',
  weight: 7,
  ofStock: true,
  data: fc.record({ record: n, to: n, quantity: fc.integer({ min: 1, max: 5 }), named: fc.boolean() }),
  ask: ({ record: which, to, quantity, named }, seen): Asked | undefined => {
    const record = nth(stockedRecords(seen), which);
    if (record === undefined) return undefined;
    const party = partyWith(seen, record.organizationId);
    const target = nth(
      placesOf(seen, party).filter(
        ({ id, warehouseId }) => warehouseId === record.warehouseId && id !== record.warehouseLocationId,
      ),
      to,
    );
    if (target === undefined) return undefined;
    const enough = unitsMeant(seen, record, named) >= quantity;
    return {
      party,
      path: '/inventory',
      body: { ...recordBody(record, quantity, seen.tag, named), moveToWarehouseLocationId: target.id },
      may: ['insufficient_stock', 'archived', 'invalid_parameters'],
      must: target.archived ? 'archived' : enough ? 'ok' : 'insufficient_stock',
      ledger: { reason: seen.tag, units: quantity },
    };
  },
});

/** "Compare and set": what was counted is set, unless the units have changed since. */
const countUnits = command({
  name: 'count units',
  weight: 4,
  ofStock: true,
  data: fc.record({ record: n, counted: fc.nat(6), wrong: fc.integer({ min: 0, max: 5 }) }),
  ask: ({ record: which, counted, wrong }, seen): Asked | undefined => {
    const record = nth(stockedRecords(seen), which);
    if (record === undefined) return undefined;
    const there = unitsMeant(seen, record, true);
    const difference = counted - there;
    if (difference === 0) return undefined;
    const expectedQuantity = there + (wrong === 5 ? 1 : 0);
    return {
      party: partyWith(seen, record.organizationId),
      path: '/inventory',
      body: { ...recordBody(record, difference, seen.tag, true), expectedQuantity },
      may: ['stale_quantity', 'insufficient_stock', 'archived'],
      must: wrong === 5 ? 'stale_quantity' : undefined,
      ledger: { reason: seen.tag, units: difference },
    };
  },
});

const changeMany = command({
  name: 'change stock in bulk',
  weight: 4,
  ofStock: true,
  data: fc.record({
    who: n,
    additions: fc.array(addition, { minLength: 1, maxLength: 4 }),
    removals: fc.array(fc.record({ record: n, quantity: fc.integer({ min: 1, max: 4 }) }), { maxLength: 3 }),
    atomic: fc.boolean(),
  }),
  ask: ({ who, additions, removals, atomic }, seen): Asked | undefined => {
    const party = partyOf(seen, who);
    const own = recordsOf(seen, party).filter(({ quantity }) => quantity > 0);
    const changes = [
      ...additions.map((data, index) => additionBody(seen, party, data, `${seen.tag}-${index}`)?.body),
      ...removals.map(({ record: which, quantity }, index) => {
        const record = nth(own, which);
        return record && recordBody(record, -quantity, `${seen.tag}-out-${index}`, true);
      }),
    ].filter((change) => change !== undefined);
    if (changes.length === 0) return undefined;
    return { party, path: '/inventory/bulk', body: { changes, atomic }, may: atomic ? refusals : [] };
  },
});

export const stockCommands: Command[] = [addUnits, removeUnits, moveUnits, countUnits, changeMany];
