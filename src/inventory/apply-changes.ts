// Makes any number of changes of stock as clients send them, and says of each what became of it.
import { ApiError, invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import { resolveIdentifiers } from '../products/variant-lookup.ts';
import { changeIssues, changeMessage, stockChangeOf } from './change-rules.ts';
import { findLocationRecords, findWarehouseIds, type LocationRecord } from './queries.ts';
import type { ChangeInventoryBody } from './schema-changes.ts';
import { changeStock, type StockChange, type StockOutcome } from './stock.ts';

/** `data` and `source` are location records as JSON text. */
export interface MadeChange {
  message: string;
  data: string;
  source: string | undefined;
}

/** What the ledger says a change was made for. */
type StockReference = Pick<StockChange, 'referenceType' | 'referenceId'>;

/**
 * One result per change, in order, with a constant number of statements, but for the events of many. What fails has changed nothing; whether
 * the others then stand is for the caller to decide.
 */
export async function applyChanges(
  write: Write,
  bodies: readonly ChangeInventoryBody[],
  references: readonly StockReference[] = [],
): Promise<(MadeChange | ApiError)[]> {
  const read = await readChanges(write, bodies, references);
  const changes = read.filter((change): change is StockChange => !(change instanceof ApiError));
  const outcomes = changes.length === 0 ? [] : await changeStock(write, changes, 'each');
  const [records, warehouses] = await Promise.all([
    readRecords(write, outcomes),
    readWarehouses(write, changes, outcomes),
  ]);
  const results = new Map(
    changes.map((change, n) => [change, resultOf(change, outcomes[n]!, records, warehouses)]),
  );
  return read.map((change) => (change instanceof ApiError ? change : results.get(change)!));
}

/** What the bodies ask for, or what is wrong with each. */
async function readChanges(
  write: Write,
  bodies: readonly ChangeInventoryBody[],
  references: readonly StockReference[],
): Promise<(StockChange | ApiError)[]> {
  const variants = await resolveIdentifiers(
    write.transaction,
    write.scope.organizationId,
    bodies.map(({ productVariantIdentifier: identifier, identifierType }) => ({
      identifier,
      type: identifierType ?? undefined,
    })),
  );
  return bodies.map((body, index) => {
    const issues = changeIssues(body);
    if (issues.length > 0) return invalid(issues);
    const variant = variants[index]!;
    if (variant === 'missing') return new ApiError('variant_not_found');
    if (variant === 'ambiguous') return new ApiError('ambiguous_identifier');
    return { ...stockChangeOf(body, variant.id), ...references[index] };
  });
}

async function readRecords(
  write: Write,
  outcomes: readonly StockOutcome[],
): Promise<Map<string, LocationRecord>> {
  const ids = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.recordId, outcome.sourceRecordId] : []));
  const touched = ids.filter((id) => id !== null);
  if (touched.length === 0) return new Map();
  return findLocationRecords(write.transaction, write.scope.organizationId, touched);
}

/** Which warehouses there are, asked only where something failed: a location may be unknown because they are. */
async function readWarehouses(
  write: Write,
  changes: readonly StockChange[],
  outcomes: readonly StockOutcome[],
): Promise<Set<string>> {
  const doubtful = changes.filter((_, n) => !outcomes[n]!.ok).map(({ warehouseId }) => warehouseId);
  if (doubtful.length === 0) return new Set();
  return findWarehouseIds(write.transaction, write.scope.organizationId, [...new Set(doubtful)]);
}

function resultOf(
  change: StockChange,
  outcome: StockOutcome,
  records: ReadonlyMap<string, LocationRecord>,
  warehouses: ReadonlySet<string>,
): MadeChange | ApiError {
  if (!outcome.ok) return warehouses.has(change.warehouseId) ? outcome.error : unknownWarehouse();
  const { json, name } = records.get(outcome.recordId)!;
  const source = outcome.sourceRecordId === null ? undefined : records.get(outcome.sourceRecordId)!;
  return { message: changeMessage(change, name, source?.name), data: json, source: source?.json };
}

export function unknownWarehouse(): ApiError {
  return invalid([{ path: '/warehouseId', code: 'not_found', message: 'is no warehouse' }]);
}
