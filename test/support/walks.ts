// Walks a list under its filters and sorts, and compares what it finds with a plain statement over the table.
import assert from 'node:assert/strict';
import type { Database } from '../../src/database/connect.ts';
import type { Request } from './app.ts';

/** A part of the address, and the same as a condition. */
export type Filter = readonly [query: string, condition: string];

export interface Walked {
  path: string;
  from: string;
  /** `organization_id` and `id` of the listed table. */
  alias: string;
  organizationIds: readonly string[];
  /** Of each filter, whatever it may be asked; '' is without it. */
  filters: readonly (readonly Filter[])[];
  /** `sortBy` -> column */
  sorts: Record<string, string>;
}

const limit = 7;

/**
 * Every sort both ways, under `each` choices of filters, taken in turn so that all of them come up; by cursors from the
 * first page to the last, and by numbers.
 */
export async function requireWalks(
  request: Request,
  database: Database,
  { path, from, alias, organizationIds, filters, sorts }: Walked,
  each: number,
): Promise<void> {
  const choices = combinations(filters);
  let taken = 0;
  for (const [sortBy, column] of Object.entries(sorts)) {
    for (const order of ['asc', 'desc']) {
      for (let n = 0; n < each; n += 1) {
        // Prime to the number of any choices here, so that each comes up.
        taken = (taken + 7919) % choices.length;
        const chosen = choices[taken]!;
        const conditions = chosen.map(([, condition]) => condition).filter((condition) => condition !== '');
        const where = [`${alias}.organization_id = any($1)`, ...conditions].join(' and ');
        const { rows } = await database.pool.query<{ id: string }>(
          `select ${alias}.id from ${from} where ${where} order by ${column} ${order} nulls last, ${alias}.id ${order}`,
          [organizationIds],
        );
        const wanted = rows.map(({ id }) => id);
        const query = [
          ...chosen.map(([text]) => text),
          `sortBy=${sortBy}`,
          `sortOrder=${order}`,
          `limit=${limit}`,
        ];
        const address = `${path}?${query.filter((text) => text !== '').join('&')}`;
        await requireWalk(request, address, wanted);
      }
    }
  }
}

async function requireWalk(request: Request, address: string, wanted: string[]): Promise<void> {
  const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
  const walked: string[] = [];
  for (let cursor = ''; ; ) {
    const { status, body, text } = await request('GET', address + cursor);
    assert.equal(status, 200, text);
    assert.equal(body.totalCount, wanted.length, address);
    walked.push(...idsOf(body));
    if (body.nextCursor === null || walked.length > wanted.length) break;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  assert.deepEqual(walked, wanted, address);
  const { body } = await request('GET', `${address}&page=2`);
  assert.deepEqual(idsOf(body), wanted.slice(limit, 2 * limit), `${address}&page=2`);
}

function combinations(filters: Walked['filters']): Filter[][] {
  return filters.reduce<Filter[][]>(
    (all, choices) => all.flatMap((before) => choices.map((choice) => [...before, choice])),
    [[]],
  );
}
