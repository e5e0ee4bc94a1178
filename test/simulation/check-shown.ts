// What the API shows of levels, now and in the past, held against what is stored; and its own verification.
import { classAt, sides } from './audit-stock.ts';
import { type Facts, type Level, levelKey, placeKey, Sums, type UnitClass } from './facts.ts';
import type { Party, Service } from './service.ts';
import type { World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely
type Json = any;

/** A moment at which nothing was under way. */
export interface Moment {
  time: Date;
  facts: Facts;
}

/** Every page of a list. */
export async function readList(party: Party, path: string): Promise<Json[]> {
  const rows: Json[] = [];
  let cursor = '';
  do {
    const separator = path.includes('?') ? '&' : '?';
    const answer = await party.send('GET', `${path}${separator}limit=100${cursor}`);
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${answer.text}`);
    rows.push(...answer.body.data);
    cursor = answer.body.nextCursor ? `&cursor=${encodeURIComponent(answer.body.nextCursor)}` : '';
  } while (cursor !== '');
  return rows;
}

export async function checkShown(service: Service, world: World, facts: Facts): Promise<string[]> {
  const verified = world.parties
    .filter((party) => service.inside !== undefined || party.own)
    .map(async (party) => {
      const { body } = await party.send('GET', '/inventory/verify');
      const { consistent, differences } = body.data;
      return consistent ? [] : [`/inventory/verify finds ${JSON.stringify(differences).slice(0, 1_000)}`];
    });
  const shown = service.inside === undefined ? [] : world.parties.map((party) => levelsShown(party, facts));
  return (await Promise.all([...verified, ...shown])).flat();
}

async function levelsShown(party: Party, { levels }: Facts): Promise<string[]> {
  const own = levels.filter(({ organizationId }) => organizationId === party.organizationId);
  return compare(
    await readList(party, '/inventory/levels'),
    own.map((level) => [level, level]),
    'shows',
  );
}

const shownFigures = {
  onHandQuantity: 'onHand',
  reservedQuantity: 'reserved',
  damagedQuantity: 'damaged',
  qualityControlQuantity: 'qualityControl',
  committedQuantity: 'committed',
  safetyStockQuantity: 'safetyStock',
  incomingQuantity: 'incoming',
  availableQuantity: 'available',
} as const;

type Figures = Pick<Level, (typeof shownFigures)[keyof typeof shownFigures]>;

function compare(
  shown: readonly Json[],
  stored: readonly (readonly [Level, Figures])[],
  verb: string,
): string[] {
  const byKey = new Map(
    shown.map((one) => [
      levelKey({ productVariantId: one.productVariant.id, warehouseId: one.warehouse.id }),
      one,
    ]),
  );
  return stored.flatMap(([level, figures]) => {
    const key = levelKey(level);
    const one = byKey.get(key);
    if (one === undefined) return [`the API ${verb} no level of ${key}`];
    return Object.entries(shownFigures)
      .filter(([field, name]) => one[field] !== figures[name])
      .map(([field, name]) => `the API ${verb} ${field} ${one[field]} of ${key}; it is ${figures[name]}`);
  });
}

const momentsAsked = 4;

/** "The levels as the ledger had them": what there was at past moments is what is told of them now. */
export async function checkPast(world: World, moments: readonly Moment[]): Promise<string[]> {
  const step = Math.max(1, Math.floor(moments.length / momentsAsked));
  const problems: string[] = [];
  for (const { time, facts } of moments.filter((_, index) => index % step === 0)) {
    for (const party of world.parties) {
      const shown = await readList(party, `/inventory/levels?asOf=${time.toISOString()}`);
      const own = facts.levels.filter(({ organizationId }) => organizationId === party.organizationId);
      const units = unitsAt(facts);
      const stored = own.map((level) => [level, figuresAt(level, units)] as const);
      problems.push(...compare(shown, stored, `says that at ${time.toISOString()} it had shown`));
    }
  }
  return problems;
}

/** Units by level and class from the ledger alone; what had expired by then counts as such. */
function unitsAt({ movements, places, time }: Facts): Sums {
  const byPlace = new Map(places.map((place) => [placeKey(place), place]));
  const units = new Sums();
  for (const movement of movements) {
    const expired = movement.expirationDate !== null && movement.expirationDate <= time;
    for (const { locationId: id, units: quantity } of sides(movement)) {
      const place = byPlace.get(placeKey({ organizationId: movement.organizationId, id }))!;
      units.add(`${classAt(place, expired)} ${levelKey(movement)}`, quantity);
    }
  }
  return units;
}

function figuresAt(level: Level, units: Sums): Figures {
  const of = (kind: UnitClass) => units.get(`${kind} ${levelKey(level)}`);
  const { committed, safetyStock, incoming } = level;
  return {
    onHand: of('pickable') + of('reserved') + of('damaged') + of('qualityControl'),
    reserved: of('reserved'),
    damaged: of('damaged'),
    qualityControl: of('qualityControl'),
    committed,
    safetyStock,
    incoming,
    available: of('pickable') - committed - safetyStock,
  };
}
