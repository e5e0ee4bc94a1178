// Background work in processes of its own: several at once double nothing, and whatever is killed loses nothing.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../src/database/connect.ts';
import { startReceiver, verified } from '../support/receiver.ts';
import {
  databasePid,
  endDatabaseAfterwards,
  eventually,
  joinDatabase,
  makeKey,
  type Program,
  run,
  serviceEnvironment,
  startService,
  temporaryFolder,
} from './program.ts';

/** `npm run webhooks` delivers ten thousand. */
const total = Number(process.env['WEBHOOK_EVENTS'] ?? 300);
const settings = {
  WAYBILL_WEBHOOK_ALLOW_PRIVATE: '1',
  WAYBILL_LOG_LEVEL: 'fatal',
  WAYBILL_RATE_LIMIT: '100000',
};
const receiver = await startReceiver();
after(receiver.close);

function startPart(dataDir: string, only: 'api' | 'jobs'): Program {
  endDatabaseAfterwards(dataDir);
  const args = ['src/cli/main.ts', 'serve', '--only', only];
  return run(process.execPath, args, serviceEnvironment(dataDir, settings));
}

async function startJobs(dataDir: string): Promise<Program> {
  const program = startPart(dataDir, 'jobs');
  await eventually(async () =>
    program.output.out.includes('ready to do background work') ? true : undefined,
  );
  return program;
}

async function send(url: string, key: string, path: string, body?: unknown) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
  return { status: answer.status, body: (await answer.json()) as any };
}

test('--only api answers and delivers nothing; --only jobs delivers and listens to nothing', async () => {
  const dataDir = await temporaryFolder();
  const api = startPart(dataDir, 'api');
  const url = await eventually(async () => /http:\/\/[^/]+/.exec(api.output.out)?.[0]);
  const key = await makeKey(await joinDatabase(dataDir));
  const path = `/webhook-endpoints`;
  const { body } = await send(url, key, path, { url: `${receiver.url}/parts` });
  await send(url, key, `${path}/${body.data.id}/test`, {});
  assert.deepEqual(receiver.received, []);
  const jobs = await startJobs(dataDir);
  const arrived = await eventually(async () => receiver.received[0]);
  assert.equal(verified(body.data.secret, arrived).type, 'webhook_endpoint.test');
  jobs.child.kill('SIGTERM');
  assert.equal(await jobs.ended, 0);
  api.child.kill('SIGTERM');
  assert.equal(await api.ended, 0);
});

test(`${total} events reach a receiver that fails 30 % of the time, though processes and database are killed`, async () => {
  const dataDir = await temporaryFolder();
  const service = await startService(dataDir, settings);
  const database = await joinDatabase(dataDir);
  const key = await makeKey(database);
  receiver.received.length = 0;
  receiver.respond = (_, response) => response.writeHead(Math.random() < 0.3 ? 500 : 204).end();
  const endpoint = (await send(service.url, key, '/webhook-endpoints', { url: receiver.url })).body.data;
  let jobs = await startJobs(dataDir);

  let written = 0;
  const writers = Array.from({ length: 4 }, async () => {
    while (written < total) {
      const number = written++;
      const variants = [{ title: 'One', sku: `SKU-${number}` }];
      const body = { name: `Product ${number}`, variants };
      await eventually(async () => {
        const { status } = await send(service.url, key, '/products', body);
        // 409: it was written, and the connection broke before that was told.
        return status === 200 || status === 409 ? true : undefined;
      });
    }
  });
  const failing = endlessly(async () => {
    // Hours pass: what failed is due again.
    await database.query(sql`
      update webhook_deliveries set next_attempt_at = next_attempt_at - interval '1 day'
      where organization_id = ${endpoint.organizationId} and tries > 0 and next_attempt_at > now() + interval '35 s'
        or organization_id = ${endpoint.organizationId} and tries = 1 and next_attempt_at > now() + interval '1 s'
          and next_attempt_at < now() + interval '6 s'`);
  });
  for (let kill = 1; kill <= 4; kill += 1) {
    const goal = Math.floor((total * kill) / 6);
    await eventually(async () => (receiver.received.length >= goal ? true : undefined));
    if (kill % 2 === 1) {
      jobs.child.kill('SIGKILL');
      await jobs.ended;
      jobs = await startJobs(dataDir);
    } else process.kill((await databasePid(dataDir))!, 'SIGKILL');
  }
  await Promise.all(writers);
  const ids = await eventually(async () => {
    const rows = await database.query<{ id: string; sequence: number | null }>(sql`
      select id, sequence from events where organization_id = ${endpoint.organizationId}`);
    return rows.every(({ sequence }) => sequence !== null) ? rows.map(({ id }) => id) : undefined;
  });
  await eventually(async () => {
    const [row] = await database.query<{ pending: number; done: number }>(sql`
      select count(*) filter (where status = 'pending') as pending,
        count(*) filter (where status = 'succeeded') as done
      from webhook_deliveries where organization_id = ${endpoint.organizationId}`);
    return row!.pending === 0 && row!.done === ids.length ? true : undefined;
  });
  await failing.stop();

  assert.ok(ids.length >= total);
  const arrived = new Map<string, string>();
  for (const request of receiver.received) {
    const id = request.headers['webhook-id']!;
    assert.equal(verified(endpoint.secret, request).id, id);
    assert.equal(arrived.get(id) ?? request.body, request.body, 'the same event, byte for byte');
    arrived.set(id, request.body);
  }
  assert.deepEqual([...arrived.keys()].sort(), ids.sort());
});

function endlessly(work: () => Promise<unknown>) {
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      await work().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  return {
    async stop() {
      stopped = true;
      await running;
    },
  };
}
