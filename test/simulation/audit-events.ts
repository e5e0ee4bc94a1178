// The auditor on events: the feed has every event once and in order, each begins where the one before it left its record.
import { isDeepStrictEqual } from 'node:util';
import { purchaseMoveProblem } from './audit-moves.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely
export type Json = any;

/** An event as the feed shows it. */
export interface TellingEvent {
  id: string;
  organizationId: string;
  type: string;
  sequence: number;
  objectId: string;
  createdAt: string;
  data: { object: Json; previous: Json | null };
}

/** What has been told so far. */
export interface Told {
  /** The last number of each organisation. */
  last: Map<string, number>;
  /** Each record as its last event left it. */
  records: Map<string, ToldRecord>;
}

export interface ToldRecord {
  kind: string;
  organizationId: string;
  object: Json;
}

/**
 * Follows one organisation's feed from where it was left; `told` is brought up to date.
 * `touched` are the ids of the records that it tells of.
 */
export function followEvents(
  organizationId: string,
  events: readonly TellingEvent[],
  told: Told,
): { problems: string[]; touched: string[] } {
  const problems = numberProblems(events, told.last.get(organizationId) ?? 0);
  told.last.set(organizationId, events.at(-1)?.sequence ?? told.last.get(organizationId) ?? 0);
  const foreign = events.filter((event) => event.organizationId !== organizationId);
  problems.push(...foreign.map(({ id, type }) => `the feed shows ${type} ${id} of another organisation`));
  const touched = new Set<string>();
  for (const [objectId, own] of Map.groupBy(events, (event) => event.objectId)) {
    for (const together of groupsOf(own)) problems.push(...tell(objectId, together, told, touched));
  }
  return { problems, touched: [...touched] };
}

/** "In an order that no history contradicts", without gaps. */
function numberProblems(events: readonly TellingEvent[], last: number): string[] {
  const gap = events.find(({ sequence }, index) => sequence !== last + 1 + index);
  return gap === undefined ? [] : [`the feed has number ${gap.sequence} (${gap.type}) out of turn`];
}

/** One transaction may tell of a record more than once; all of that has the transaction's time. */
function groupsOf(events: readonly TellingEvent[]): TellingEvent[][] {
  const groups: TellingEvent[][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last?.at(-1)?.createdAt === event.createdAt) last?.push(event);
    else groups.push([event]);
  }
  return groups;
}

function tell(objectId: string, together: TellingEvent[], told: Told, touched: Set<string>): string[] {
  const { type, organizationId } = together[0]!;
  const kind = type.split('.')[0]!;
  const { object } = together.at(-1)!.data;
  const before = told.records.get(objectId);
  const problems = groupProblems(kind, together, before?.object);
  told.records.set(objectId, { kind, organizationId, object });
  touched.add(objectId);
  // A product tells of its variants too.
  for (const variant of kind === 'product' ? object.variants : []) {
    told.records.set(variant.id, { kind: 'product_variant', organizationId, object: variant });
    touched.add(variant.id);
  }
  return problems;
}

function groupProblems(kind: string, together: readonly TellingEvent[], before: Json): string[] {
  const { object } = together[0]!.data;
  const types = together.map(({ type }) => type).join(', ');
  // Stock is promised to orders without an event of the level.
  if (kind === 'inventory') return [];
  const created = together.some(({ type }) => type === `${kind}.created`);
  if (created !== (before === undefined))
    return [`${kind} ${object.name}: ${types} is not how it was created`];
  const moves = together.flatMap((event) => purchaseMoveProblem(event) ?? []);
  const previous = together.map((event) => ownOf(kind, event.data.previous ?? undefined));
  if (previous.some((one) => isDeepStrictEqual(one, ownOf(kind, before)))) return moves;
  return [
    ...moves,
    `${kind} ${object.name ?? object.sku}: ${types} does not begin where the last event ended; it differs in ` +
      differing(previous[0] ?? {}, ownOf(kind, before) ?? {}).join(', '),
  ];
}

/** What belongs to other records, and changes with them alone. */
const beside: Record<string, string[]> = {
  purchase_order: ['supplier', 'warehouse'],
  // A change of one variant raises the version of its product, which shows no other sign of it.
  product: ['variants', 'productVariants', 'updatedAt'],
  product_variant: ['product', 'inventoryLevels', 'inventoryLocations', 'supplierProducts'],
};

/** A record without what other records show in it. */
export function ownOf(kind: string, record: Json): Json {
  if (record === undefined) return undefined;
  const left = new Set(beside[kind]);
  return Object.fromEntries(Object.entries(record).filter(([name]) => !left.has(name)));
}

/** The fields in which two records differ, with both values. */
export function differing(a: Json, b: Json): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => !isDeepStrictEqual(a[name], b[name]))
    .map((name) => `${name} (${JSON.stringify(a[name])} and ${JSON.stringify(b[name])})`);
}
