// A small business with records of every kind, made through the API; and what its database holds, table by table.
import assert from 'node:assert/strict';
import pg from 'pg';
import { findTables } from '../../src/cli/archive/catalog.ts';
import type { Request } from '../support/app.ts';
import { addressOf, sampleOf } from '../support/samples.ts';
import { contract } from './over-http.ts';

/** Calls every operation once, with what each needs to be there. */
export async function fillWorld(request: Request, operations = contract.operations): Promise<void> {
  for (const operation of operations) {
    const sample = await sampleOf(operation)(request);
    const { status, text } = await request(operation.method, addressOf(operation, sample), sample.body);
    assert.equal(status, 200, `${operation.operationId}: ${text}`);
  }
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Table -> number of rows, and a digest of all that they hold, whatever their order. */
export function digestsOf(url: string): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    const digests: Record<string, string> = {};
    for (const { table } of await findTables(client)) {
      const { rows } = await client.query(`
        select count(*) || ' rows, ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '-') as digest
        from "${table}" t`);
      digests[table] = rows[0].digest;
    }
    return digests;
  });
}

/** Tables that hold nothing. */
export const emptyTables = (digests: Record<string, string>) =>
  Object.entries(digests).flatMap(([table, digest]) => (digest.startsWith('0 rows') ? [table] : []));
