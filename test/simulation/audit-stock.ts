// The auditor on units: every balance recomputed from the ledger, every level from the balances.
import {
  type Facts,
  type Level,
  levelKey,
  type Movement,
  type Place,
  placeKey,
  type StockRecord,
  Sums,
  type UnitClass,
} from './facts.ts';

export function auditStock(facts: Facts): string[] {
  return [
    ...recordsByLedger(facts),
    ...movementsAreSound(facts),
    ...levelsByRecords(facts),
    ...levelsByArithmetic(facts),
    ...expiriesAreNoticed(facts),
    ...mirrorsAgree(facts),
    ...settingsAreKept(facts),
  ];
}

interface Lot {
  organizationId: string;
  productVariantId: string;
  lotNumber: string | null;
  expirationDate: Date | null;
}

export function lotKey(lot: Lot, locationId: string): string {
  const expiry = lot.expirationDate?.toISOString() ?? 'none';
  return `variant ${lot.productVariantId} at location ${locationId}, lot ${lot.lotNumber}, expiry ${expiry}, organization ${lot.organizationId}`;
}

/** Where a row of the ledger takes units from and puts them to. */
export function sides(movement: Movement): { locationId: string; units: number }[] {
  const units = Math.abs(movement.quantity);
  return [
    ...(movement.from === null ? [] : [{ locationId: movement.from, units: -units }]),
    ...(movement.to === null ? [] : [{ locationId: movement.to, units }]),
  ];
}

function recordsByLedger({ movements, records }: Facts): string[] {
  const ledger = new Sums();
  for (const movement of movements) {
    for (const { locationId, units } of sides(movement)) ledger.add(lotKey(movement, locationId), units);
  }
  const kept = new Sums();
  for (const record of records) kept.add(lotKey(record, record.warehouseLocationId), record.quantity);
  const problems = [...new Set([...ledger.keys(), ...kept.keys()])]
    .filter((key) => ledger.get(key) !== kept.get(key))
    .map((key) => `the ledger says ${ledger.get(key)}, the record ${kept.get(key)}: ${key}`);
  const negative = records
    .filter((record) => record.quantity < 0)
    .map(
      (record) => `a record is negative (${record.quantity}): ${lotKey(record, record.warehouseLocationId)}`,
    );
  return [...problems, ...negative];
}

function movementsAreSound({ movements, places }: Facts): string[] {
  const byId = new Map(places.map((place) => [placeKey(place), place]));
  return movements.flatMap((movement) => {
    const { id, quantity, from, to, reason, organizationId } = movement;
    const wrong = (what: string) => [`movement ${id} (${reason}) ${what}`];
    if (quantity === 0) return wrong('moves nothing');
    if (from === null && to === null) return wrong('comes from nowhere and goes nowhere');
    if (quantity < 0 !== (to === null)) return wrong(`has the sign of another direction: ${quantity}`);
    if (reason === '') return wrong('has no reason');
    return sides(movement).flatMap(({ locationId }) => {
      const place = byId.get(placeKey({ organizationId, id: locationId }));
      return place?.warehouseId === movement.warehouseId
        ? []
        : wrong(`names a location of another warehouse`);
    });
  });
}

export function classAt(place: Place, expired: boolean): UnitClass {
  if (place.type === 'damaged') return 'damaged';
  if (place.type === 'quality-control') return 'qualityControl';
  return place.pickable && !expired ? 'pickable' : 'reserved';
}

/** Units of each class, and how many of the pickable ones may or may not have been noticed as expired. */
function unitsOf(records: readonly StockRecord[], places: Map<string, Place>) {
  const units: Record<UnitClass, number> = { pickable: 0, reserved: 0, damaged: 0, qualityControl: 0 };
  let doubtful = 0;
  for (const { organizationId, warehouseLocationId: id, expired, quantity } of records) {
    const kind = classAt(places.get(placeKey({ organizationId, id }))!, expired ?? false);
    units[kind] += quantity;
    if (expired === undefined && kind === 'pickable') doubtful += quantity;
  }
  return { units, doubtful };
}

function levelsByRecords({ records, levels, places }: Facts): string[] {
  const byPlace = new Map(places.map((place) => [placeKey(place), place]));
  const byLevel = Map.groupBy(records, levelKey);
  const problems = levels.flatMap((level) => {
    const { units, doubtful } = unitsOf(byLevel.get(levelKey(level)) ?? [], byPlace);
    const { pickable, reserved, damaged, qualityControl } = level;
    const wrong = (name: string, shown: number, counted: number) =>
      shown === counted ? [] : [`${levelKey(level)} shows ${name} ${shown}; its records hold ${counted}`];
    const onHand = units.pickable + units.reserved + units.damaged + units.qualityControl;
    const unnoticed = pickable - (units.pickable - doubtful);
    const inDoubt = unnoticed >= 0 && unnoticed <= doubtful;
    return [
      ...wrong('on hand', level.onHand, onHand),
      ...wrong('damaged', damaged, units.damaged),
      ...wrong('quality control', qualityControl, units.qualityControl),
      ...(inDoubt ? [] : wrong('pickable', pickable, units.pickable)),
      ...(inDoubt ? [] : wrong('reserved', reserved, units.reserved)),
    ];
  });
  const known = new Set(levels.map(levelKey));
  const unknown = records
    .filter((record) => record.quantity !== 0 && !known.has(levelKey(record)))
    .map((record) => `there are ${record.quantity} units without a level: ${levelKey(record)}`);
  return [...problems, ...unknown];
}

const figures = [
  'onHand',
  'pickable',
  'reserved',
  'damaged',
  'qualityControl',
  'committed',
  'safetyStock',
  'incoming',
] as const;

function levelsByArithmetic({ levels }: Facts): string[] {
  return levels.flatMap((level) => {
    const { onHand, pickable, reserved, damaged, qualityControl, committed, safetyStock, available } = level;
    const wrong = (what: string) => `${levelKey(level)}: ${what}`;
    const negative = figures
      .filter((name) => level[name] < 0)
      .map((name) => wrong(`${name} is ${level[name]}`));
    return [
      ...negative,
      ...(onHand === pickable + reserved + damaged + qualityControl
        ? []
        : [wrong(`on hand ${onHand} is not the sum of its parts`)]),
      ...(available === pickable - committed - safetyStock
        ? []
        : [wrong(`available ${available} is not ${pickable} - ${committed} - ${safetyStock}`)]),
    ];
  });
}

/** A record that was touched after its expiry must say so: whoever touches stock looks first. */
function expiriesAreNoticed({ records, time }: Facts): string[] {
  return records
    .filter(({ expired, expirationDate }) => expired !== undefined && expirationDate !== null)
    .flatMap((record) => {
      const { expired, quantity, updatedAt } = record;
      const expirationDate = record.expirationDate!;
      const key = lotKey(record, record.warehouseLocationId);
      if (expired && expirationDate > time) return [`has not expired, and counts as expired: ${key}`];
      if (!expired && quantity > 0 && expirationDate <= updatedAt) {
        return [`had expired when ${quantity} units were put there, and counts as sound: ${key}`];
      }
      return [];
    });
}

/** What a child sees of a shared warehouse is what its owner made it. */
function mirrorsAgree({ places, warehouses }: Facts): string[] {
  const owners = new Map(warehouses.map(({ id, ownerId }) => [id, ownerId]));
  const shared = new Set(warehouses.filter((warehouse) => warehouse.shared).map(({ id }) => id));
  const own = new Map(
    places
      .filter((place) => owners.get(place.warehouseId) === place.organizationId)
      .map((one) => [one.id, one]),
  );
  return places.flatMap((place) => {
    const original = own.get(place.id);
    if (original === undefined || original === place || !shared.has(place.warehouseId)) return [];
    const alike = (['name', 'type', 'pickable', 'archived'] as const).every((k) => place[k] === original[k]);
    return alike
      ? []
      : [`location ${place.id} is another one for its owner than for ${place.organizationId}`];
  });
}

function settingsAreKept({ levels, hidden }: Facts): string[] {
  if (hidden === undefined) return [];
  const last = new Map(hidden.settings.map((setting) => [levelKey(setting), setting.safetyStock]));
  return levels
    .filter((level: Level) => level.safetyStock !== (last.get(levelKey(level)) ?? 0))
    .map(
      (level) => `${levelKey(level)} keeps ${level.safetyStock} back; set was ${last.get(levelKey(level))}`,
    );
}
