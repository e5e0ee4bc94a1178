// The benchmark runs and measures what it says it does; how fast is not for a test to say.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import test, { mock } from 'node:test';
import { promisify } from 'node:util';
import { sql } from '../src/database/connect.ts';
import { newId } from '../src/database/ids.ts';
import { startTestApp } from '../test/support/app.ts';
import { readOptions } from './options.ts';
import { pickPopular, randoms } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { record, replayOf } from './tape.ts';

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    timeout: 150_000,
  });

const brief = ['--seconds', '0.2', '--rounds', '1', '--concurrency', '2'];

test('every scenario is answered as it should be, its floor runs, and counts and stock are exact', async () => {
  const { stderr } = await run('--size', '10k', '--check');
  for (const { name } of scenarios) assert.match(stderr, new RegExp(`bench: ${name}: as it should be\n`));
  assert.match(stderr, /[1-9]\d* counts that lists keep are what is there/);
  assert.match(stderr, /the stock adds up/);
});

test('what is measured is told beside both floors, and the stock adds up after it', async () => {
  const measured = ['create-order'];
  const only = measured.flatMap((name) => ['--only', name]);
  const { stdout, stderr } = await run('--size', '500', ...only, ...brief);
  for (const { title } of scenarios.filter(({ name }) => measured.includes(name))) {
    // Rate, two latencies, floor and its part, bare and its part.
    const figures = '[\\d,]+ \\| +[\\d.]+ \\| +[\\d.]+ \\| +[\\d,]+ \\| +\\d+ % \\| +[\\d,]+ \\| +\\d+ %';
    assert.match(stdout, new RegExp(`\\| ${title} +\\| +${figures}`));
  }
  assert.match(stdout, /500 orders, 2 requests at a time/);
  assert.match(stderr, /GB of disk/);
  assert.match(stderr, /the stock adds up/);
});

test('a service that is up already is measured through its API, twice in a row, without a SQL floor', async () => {
  const { app, key, close } = await startTestApp({ rateLimit: 1_000_000 });
  try {
    const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/`;
    const args = ['--url', url, '--key', key, '--only', 'create-order', ...brief];
    await run(...args);
    const { stdout } = await run(...args);
    assert.match(stdout, /\| Create an order, [^|]+\| +[\d,]+ \|[^|]+\|[^|]+\| +- \| +- \|/);
  } finally {
    await close();
  }
});

test('a replay has ids of its own, is due as long after it as the recording was, and locks what that did', async () => {
  const { database, close } = await startTestApp();
  try {
    await database.query(sql`create table bench_claims (id uuid, made_at timestamptz, due_at timestamptz)`);
    const claim = (id: string, madeAt: Date) => sql`
      insert into bench_claims values (${id}, ${madeAt}, ${new Date(madeAt.getTime() + 30_000)})`;
    const [earlier, start] = [newId(), new Date(Date.now() + 5)];
    await database.query(claim(earlier, new Date(0)));
    while (new Date() < start);
    const tape = await record(() =>
      database.transaction(async (transaction) => {
        transaction.send(claim(newId(), start));
        await transaction.query(sql`select 1 from bench_claims where id = ${earlier} for update`);
      }),
    );
    const replay = replayOf(tape, start);
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 });
    await replay(database.pool);
    const read = () =>
      database.query<{ id: string; madeAt: Date; dueAt: Date }>(sql`
        select id, made_at as "madeAt", due_at as "dueAt" from bench_claims where id <> ${earlier} order by due_at`);
    const [recorded, replayed] = await read();
    assert.notEqual(replayed!.id, recorded!.id);
    assert.deepEqual([recorded!.madeAt, replayed!.madeAt], [start, start]);
    const lateMs = replayed!.dueAt.getTime() - recorded!.dueAt.getTime();
    assert.ok(lateMs >= 3_600_000 && lateMs < 3_700_000, String(lateMs));
    await database.query(sql`delete from bench_claims where id = ${earlier}`);
    await replay(database.pool);
    await assert.rejects(replay(database.pool), /locked 0 rows instead of 1/);
    assert.equal((await read()).length, 2);
  } finally {
    mock.timers.reset();
    await close();
  }
});

test('a command line that says nothing sensible is refused with a sentence', () => {
  assert.throws(() => readOptions(['--size', 'large']), /--size takes 10k, 1m, 10m or a number, not large/);
  assert.throws(() => readOptions(['--only', 'everything']), /no scenario everything/);
  assert.throws(() => readOptions(['--seconds', '0']), /--seconds takes a number above 0/);
  assert.throws(() => readOptions(['--url', 'http://127.0.0.1:3000/api/v1']), /--url and --key go together/);
  assert.equal(readOptions(['--size', '10m']).orders, 10_000_000);
});

test('the same request number gives the same request, and popular records are picked more often', () => {
  const list = Array.from({ length: 100 }, (_, n) => n);
  const picks = (seed: number) => {
    const random = randoms(seed);
    return Array.from({ length: 1_000 }, () => pickPopular(list, random));
  };
  assert.deepEqual(picks(7), picks(7));
  assert.notDeepEqual(picks(7), picks(8));
  assert.ok(picks(7).filter((n) => n < 25).length > 400);
});
