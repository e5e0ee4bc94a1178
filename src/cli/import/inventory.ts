// Imports changes of stock. Each leaves its file and line in the ledger, so that a second run adds nothing.
import { createHash } from 'node:crypto';
import { derivedId, isId } from '../../database/ids.ts';
import { ApiError, type Issue, invalid } from '../../errors.ts';
import type { Write } from '../../http/api.ts';
import { apiErrorOf } from '../../http/error-handler.ts';
import { nullable, object, requiredText, type Static, Type } from '../../http/schemas.ts';
import { applyChanges } from '../../inventory/apply-changes.ts';
import { findReferences, holdReferences } from '../../inventory/queries.ts';
import { ChangeInventoryBody } from '../../inventory/schema-changes.ts';
import * as limits from '../../limits.ts';
import { findNamedLocations, findNamedWarehouses, type Named } from '../../warehouses/queries-named.ts';
import { commandWrite } from '../organization.ts';
import type { Importing, Kind, Outcome, Row } from './kind.ts';
import { Undone } from './write-each.ts';

const nameOrId = requiredText(limits.nameLengthMax);
const ImportedChange = object({
  ...ChangeInventoryBody.properties,
  warehouseId: nameOrId,
  warehouseLocationId: nameOrId,
  moveToWarehouseLocationId: Type.Optional(nullable(nameOrId)),
});
type ImportedChange = Static<typeof ImportedChange>;

export const inventory: Kind = {
  schema: ImportedChange,
  columns: {
    sku: 'productVariantIdentifier',
    warehouse: 'warehouseId',
    location: 'warehouseLocationId',
    moveTo: 'moveToWarehouseLocationId',
    quantity: 'changeQuantity',
    lot: 'lotNumber',
    expiry: 'expirationDate',
  },
  batchSize: 1_000,
  write: writeChanges,
};

const referenceType = 'import';

async function writeChanges(importing: Importing, rows: readonly Row[]): Promise<Outcome[]> {
  const { database, organizationId, dryRun } = importing;
  let outcomes: Outcome[] = [];
  try {
    await database.transaction(async (transaction) => {
      outcomes = await applyRows(commandWrite(transaction, organizationId), importing, rows);
      if (dryRun) throw new Undone();
    });
    return outcomes;
  } catch (error) {
    if (error instanceof Undone) return outcomes;
    const failure = apiErrorOf(error);
    if (failure.code === 'unavailable' || rows.length === 1) {
      if (failure.code === 'internal_error') throw error;
      return rows.map(() => failure);
    }
  }
  // One of them cannot be stored at all: alone, it takes no other with it.
  for (const row of rows) outcomes.push(...(await writeChanges(importing, [row])));
  return outcomes;
}

async function applyRows(write: Write, importing: Importing, rows: readonly Row[]): Promise<Outcome[]> {
  const { organizationId, fileName, again } = importing;
  const references = rows.map(({ line, body }) => {
    const content = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    return derivedId(organizationId, `import ${fileName}\n${line}\n${content}`);
  });
  const done = again ? new Set<string>() : await findDone(write, fileName, references);
  const open = rows.map((_, index) => index).filter((index) => !done.has(references[index]!));
  const outcomes: Outcome[] = rows.map(() => 'there');
  const placed = await findPlaces(
    write,
    open.map((index) => rows[index]!.body as ImportedChange),
  );
  const changes: { index: number; body: ChangeInventoryBody }[] = [];
  for (const [n, index] of open.entries()) {
    const body = placed[n]!;
    if (body instanceof ApiError) outcomes[index] = body;
    else changes.push({ index, body });
  }
  const results = await applyChanges(
    write,
    changes.map(({ body }) => body),
    changes.map(({ index }) => ({ referenceType, referenceId: references[index]! })),
  );
  for (const [n, { index }] of changes.entries()) {
    const result = results[n]!;
    outcomes[index] = result instanceof ApiError ? result : 'made';
  }
  return outcomes;
}

/** Two runs of one file at the same time wait for each other, so that neither misses what the other has done. */
async function findDone(write: Write, fileName: string, references: string[]): Promise<Set<string>> {
  await holdReferences(write, `import ${fileName}`);
  return findReferences(write, references);
}

/** The changes with ids in place of names, or what is wrong with each. */
async function findPlaces(
  write: Write,
  bodies: readonly ImportedChange[],
): Promise<(ChangeInventoryBody | ApiError)[]> {
  const { transaction, scope } = write;
  if (bodies.length === 0) return [];
  const warehouses = await findNamedWarehouses(
    transaction,
    scope.organizationId,
    bodies.map(({ warehouseId }) => warehouseId),
  );
  const locations = await findNamedLocations(
    transaction,
    scope.organizationId,
    warehouses.map(({ id }) => id),
    bodies.flatMap(({ warehouseLocationId, moveToWarehouseLocationId: to }) => [
      warehouseLocationId,
      ...(to == null ? [] : [to]),
    ]),
  );
  const warehousesBy = byNameAndId(warehouses, (name) => name);
  const locationsBy = byNameAndId(locations, (name, { warehouseId }) => `${warehouseId} ${name}`);
  return bodies.map((body) => {
    const issues: Issue[] = [];
    const find = (found: string[] | undefined, path: string, what: string) => {
      if (found?.length === 1) return found[0]!;
      issues.push(
        found === undefined
          ? { path, code: 'not_found', message: `is no ${what}` }
          : { path, code: 'ambiguous', message: `is the name of ${found.length}: give the id` },
      );
      return '';
    };
    const { warehouseLocationId: from, moveToWarehouseLocationId: to } = body;
    const warehouseId = find(warehousesBy.get(keyOf(body.warehouseId)), '/warehouseId', 'warehouse');
    if (warehouseId === '') return invalid(issues);
    const location = (named: string, path: string) =>
      find(locationsBy.get(`${warehouseId} ${keyOf(named)}`), path, 'location of this warehouse');
    const placed = {
      ...body,
      warehouseId,
      warehouseLocationId: location(from, '/warehouseLocationId'),
      moveToWarehouseLocationId: to == null ? null : location(to, '/moveToWarehouseLocationId'),
    };
    return issues.length > 0 ? invalid(issues) : placed;
  });
}

const keyOf = (named: string) => (isId(named) ? named.toLowerCase() : named);

/** Key of a name or an id -> the ids it may mean. */
function byNameAndId<T extends Named>(
  rows: readonly T[],
  key: (name: string, row: T) => string,
): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const row of rows) {
    for (const name of [key(row.name, row), key(row.id, row)]) {
      index.set(name, [...(index.get(name) ?? []), row.id]);
    }
  }
  return index;
}
