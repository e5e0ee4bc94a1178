// The feed under load: twenty writers, a transaction held open, several sequencers; a reader misses and doubles nothing.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp } from '../../test/support/app.ts';
import { systemScope } from '../auth/scope.ts';
import { connect, type Database, sql } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { appendEvents } from './append.ts';
import { sequenceEvents } from './sequence.ts';

/** `npm run feed` reads a hundred thousand. */
const total = Number(process.env['FEED_EVENTS'] ?? 5_000);
const writers = 20;
const objects = 40;
const perTransaction = 5;

const service = await startTestApp();
const writing = connect(service.databaseUrl, { max: writers + 2 });
after(async () => {
  await writing.close();
  await service.close();
});

const { database, request, organizationId } = service;
const objectIds = Array.from({ length: objects }, () => newId());

/** Changes objects under their locks, as every write does: the counter of each tells the order of its history. */
async function change(target: Database, ids: string[], held?: () => Promise<unknown>): Promise<void> {
  await target.transaction(async (transaction) => {
    const write = { transaction, scope: systemScope(organizationId), now: new Date(), ifMatch: undefined };
    const rows = await transaction.query<{ prefix: string; last: number }>(sql`
      select prefix, last_number as last from name_counters
      where organization_id = ${organizationId} and kind = 'test' and prefix = any(${ids}::text[])
      order by prefix for update`);
    transaction.send(sql`
      update name_counters set last_number = last_number + 1
      where organization_id = ${organizationId} and kind = 'test' and prefix = any(${ids}::text[])`);
    appendEvents(
      write,
      rows.map(({ prefix, last }) => ({
        type: 'order.updated',
        objectId: prefix,
        object: JSON.stringify({ id: prefix, version: last + 1 }),
      })),
    );
    await held?.();
  });
}

async function readAll(done: () => boolean): Promise<{ sequence: number; data: { object: Change } }[]> {
  const seen: { sequence: number; data: { object: Change } }[] = [];
  for (;;) {
    const finished = done();
    const last = seen.at(-1)?.sequence ?? 0;
    const { status, body } = await request('GET', `/events?after=${last}&limit=100`);
    assert.equal(status, 200);
    seen.push(...body.data);
    if (body.data.length === 0 && finished) return seen;
  }
}

interface Change {
  id: string;
  version: number;
}

test(`a reader sees ${total} events of ${writers} writers exactly once, no object's history reversed`, async () => {
  await database.query(sql`
    insert into name_counters (organization_id, kind, prefix, last_number)
    select ${organizationId}, 'test', o.id, 0 from unnest(${objectIds}::text[]) o (id)`);
  const slowId = newId();
  await database.query(sql`
    insert into name_counters (organization_id, kind, prefix, last_number)
    values (${organizationId}, 'test', ${slowId}, 0)`);
  let finished = false;
  let written = 0;
  const pick = () => objectIds[Math.floor(Math.random() * objects)]!;
  const writer = async () => {
    while (written < total) {
      const ids = [...new Set(Array.from({ length: perTransaction }, pick))];
      written += ids.length;
      await change(writing, ids);
    }
  };
  // It wrote before most others and commits after them: it must appear behind nobody who has passed.
  const slow = change(writing, [slowId], () => sleep(3000));
  const numbering = [1, 2].map(async () => {
    while (!finished) {
      await sequenceEvents(database, organizationId);
      await sleep(5);
    }
  });
  const reading = readAll(() => finished);
  await Promise.all([slow, ...Array.from({ length: writers }, writer)]);
  finished = true;
  await Promise.all(numbering);
  const seen = await reading;

  assert.deepEqual(
    seen.map(({ sequence }) => sequence),
    Array.from({ length: written + 1 }, (_, index) => index + 1),
  );
  const versions = new Map<string, number>();
  for (const { data } of seen) {
    const { id, version } = data.object;
    assert.equal(version, (versions.get(id) ?? 0) + 1, `the history of ${id}`);
    versions.set(id, version);
  }
  assert.equal(versions.get(slowId), 1);
});
