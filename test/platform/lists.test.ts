// Every list, in every order: pages and cursors agree, nothing is missed or told twice, and a page costs the same
// number of statements whatever its size.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../src/database/connect.ts';
import { startTestApp } from '../support/app.ts';
import { type Filled, fillerOf, fillers } from '../support/fillers.ts';

const service = await startTestApp();
after(service.close);
const { database, contract } = service;

const lists = contract.operations.filter(({ specification }) =>
  // The feed has one order only; src/events/ tests it.
  specification.parameters?.some(({ name }: { name: string }) => name === 'sortBy'),
);
const rowsMade = 11;
const pageSize = 4;

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely
type Row = any;

const get = async ({ path }: Filled, parameters: Record<string, unknown>, request = service.request) => {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  const answer = await request('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};

async function fill(operation: (typeof lists)[number], request = service.request): Promise<Filled> {
  const filled = await fillerOf(operation)(request);
  for (let index = 0; index < rowsMade; index += 1) await filled.add(index);
  // Half of the rows are of one millisecond, the other half of another.
  const one = new Date('2026-01-01T00:00:00.001Z');
  const columns = (
    await database.query<{ name: string }>(sql`
      select attname as name from pg_attribute where attrelid = ${filled.table}::regclass
        and attname in ('created_at', 'updated_at')`)
  ).map(({ name }) => name);
  for (const name of columns) {
    await database.pool.query(
      `update ${filled.table} set ${name} = case when right(id::text, 1) < '8' then $1 else $2 end::timestamptz`,
      [one, new Date(one.getTime() + 1)],
    );
  }
  return filled;
}

const fieldOf = (row: Row, field: string) => field.split('.').reduce((value, part) => value?.[part], row);

/** The rows are in order: by value, nulls last, then by id. */
function assertOrdered(rows: Row[], field: string, sortOrder: string): void {
  const sign = sortOrder === 'asc' ? 1 : -1;
  for (const [index, row] of rows.slice(1).entries()) {
    const [a, b] = [fieldOf(rows[index], field), fieldOf(row, field)];
    if (a === undefined) return;
    if (a === b) assert.equal(rows[index].id < row.id, sign > 0, `${a}: ids in order`);
    else if (a === null) assert.equal(b, null, 'nulls last');
    else if (b !== null) assert.equal(a < b, sign > 0, `${a} before ${b}`);
  }
}

async function walk(filled: Filled, parameters: Record<string, unknown>, between: () => Promise<unknown>) {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 20; pages += 1) {
    const page = await get(filled, { ...parameters, ...(cursor === null ? {} : { cursor }) });
    rows.push(...page.data);
    assert.equal(page.hasMore, page.nextCursor !== null);
    assert.equal(page.limit, parameters['limit']);
    if (page.nextCursor === null) return rows;
    assert.equal(page.data.length, parameters['limit']);
    cursor = page.nextCursor;
    await between();
  }
  throw new Error('the list has no end');
}

for (const operation of lists) {
  const { operationId, specification } = operation;
  const sorts: string[] = specification.parameters.find(({ name }: { name: string }) => name === 'sortBy')
    .schema.enum;

  test(`${operationId}: by every field, both ways, pages and cursors agree, ties and nulls included`, async () => {
    const filled = await fill(operation);
    const all = await get(filled, { limit: 100 });
    assert.ok(all.totalCount >= rowsMade && all.totalCount === all.data.length && !all.hasMore);
    const ids = all.data.map(({ id }: Row) => id).sort();
    for (const sortBy of sorts) {
      for (const sortOrder of ['asc', 'desc']) {
        const parameters = { sortBy, sortOrder, limit: pageSize };
        const rows = await walk(filled, parameters, async () => {});
        assertOrdered(rows, filled.fields?.[sortBy] ?? sortBy, sortOrder);
        assert.deepEqual(rows.map(({ id }) => id).sort(), ids, `${sortBy} ${sortOrder}`);
        const numbered: Row[] = [];
        for (let page = 1; numbered.length < ids.length; page += 1) {
          const { data, totalCount, hasMore } = await get(filled, { ...parameters, page });
          assert.ok(data.length > 0 && totalCount === ids.length);
          numbered.push(...data);
          assert.equal(hasMore, numbered.length < ids.length);
        }
        assert.deepEqual(
          numbered.map(({ id }) => id),
          rows.map(({ id }) => id),
          `${sortBy} ${sortOrder}`,
        );
      }
    }
    const beyond = await get(filled, { page: 1_000_000 });
    assert.deepEqual([beyond.data, beyond.totalCount, beyond.hasMore], [[], ids.length, false]);
  });

  test(`${operationId}: a walk meets every row that was there exactly once, while others add rows`, async () => {
    const filled = await fill(operation);
    const there = (await get(filled, { limit: 100 })).data.map(({ id }: Row) => id);
    let added = rowsMade;
    for (const sortOrder of ['asc', 'desc']) {
      for (const sortBy of [sorts[0]!, sorts.at(-1)!]) {
        const rows = await walk(filled, { sortBy, sortOrder, limit: pageSize }, async () => {
          if (added < rowsMade + 12) await filled.add(added);
          added += 1;
        });
        const met = rows.map(({ id }) => id);
        assert.equal(new Set(met).size, met.length, 'a row was told twice');
        const missed = there.filter((id: string) => !met.includes(id));
        assert.deepEqual(missed, [], `${sortBy} ${sortOrder}`);
      }
    }
  });

  test(`${operationId}: a cursor is of one sort, one order, one filter and one organization`, async () => {
    const filled = await fill(operation);
    const { nextCursor: cursor } = await get(filled, { limit: 2, sortBy: sorts[0], sortOrder: 'asc' });
    const own = { limit: 5, sortBy: sorts[0], sortOrder: 'asc', cursor };
    assert.equal((await get(filled, { ...own, page: 99 })).data.length, 5, 'the cursor wins over the page');
    const others = [
      { ...own, sortOrder: 'desc' },
      { ...own, sortBy: sorts[1] },
      { ...own, search: 'x' },
    ];
    for (const parameters of others) {
      const path = `${filled.path}${filled.path.includes('?') ? '&' : '?'}`;
      const query = new URLSearchParams(parameters as unknown as Record<string, string>);
      const answer = await service.request('GET', `${path}${query}`);
      assert.deepEqual(
        [answer.status, answer.body.error?.details.code],
        [400, 'invalid_cursor'],
        String(query),
      );
    }
  });

  test(`${operationId}: one row and many cost the same number of statements`, async () => {
    const { request } = await service.makeOrganization();
    const filled = await fill(operation, request);
    const few = await service.statements(() => get(filled, { limit: 1 }, request));
    const many = await service.statements(() => get(filled, { limit: 100 }, request));
    assert.deepEqual(many.length, few.length);
    assert.ok(many.length <= 4, `${many.length} statements`);
  });
}

test('every filler is of a list', () => {
  const names = new Set(lists.map(({ operationId }) => operationId));
  assert.deepEqual(
    Object.keys(fillers).filter((name) => !names.has(name)),
    [],
  );
});
