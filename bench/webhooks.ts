// Measures what webhooks cost and how fast they are: writes with 0 and 50 endpoints, the delivery rate, commit to first delivery.
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../src/app.ts';
import { startDispatch } from '../src/background/dispatch.ts';
import { readConfig } from '../src/config.ts';
import { connect } from '../src/database/connect.ts';
import { startEmbedded } from '../src/database/embedded.ts';
import { migrate } from '../src/database/migrate.ts';
import { seedDemo } from '../src/demo.ts';
import { makeSecrets } from '../src/secrets.ts';
import { makeDataDir } from './service.ts';

const writers = 8;
const secondsOfWriting = Number(process.argv[2] ?? 8);
const latencies = 200;
const secret = 'only for the measurement, and long enough';

const { path: dataDir } = await makeDataDir();
const server = await startEmbedded(dataDir);
const [database, working] = [connect(server.url), connect(server.url)];
await migrate(database);
const settings = { WAYBILL_LOG_LEVEL: 'error', WAYBILL_WEBHOOK_ALLOW_PRIVATE: '1' };
const config = { ...readConfig(settings), secret, rateLimit: 1_000_000 };
const app = await buildApp({ database, config });
const log = { error: (...said: unknown[]) => console.error(...said) };
const dispatch = startDispatch({ database: working, secrets: makeSecrets(secret), allowPrivate: true, log });
const { key } = (await seedDemo(database, 'live'))!;

let arrived = 0;
/** Object -> when the write that made it was answered, or when its event arrived. */
const arrivals = new Map<string, number>();
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  arrived += 1;
  const { objectId } = JSON.parse(Buffer.concat(chunks).toString());
  if (!arrivals.has(objectId)) arrivals.set(objectId, performance.now());
  response.writeHead(204).end();
}).listen(0, '127.0.0.1');
const hook = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

async function post(path: string, body: unknown): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const url = `/api/v1${path}`;
  const answer = await app.inject({ method: 'POST', url, headers, payload: JSON.stringify(body) });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json().data;
}

const createOrder = () =>
  post('/orders', { name: 'SO-', price: 10, orderDate: '2026-01-02T03:04:05Z', lineItems: [] });

/** Orders a second. */
async function write(seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let made = 0;
  const writer = async () => {
    while (performance.now() < until) {
      await createOrder();
      made += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return Math.round(made / seconds);
}

/** Milliseconds from the answer to the write, which is just after its commit, to the arrival. */
async function measureLatency(): Promise<{ median: number; p99: number }> {
  const took: number[] = [];
  for (let index = 0; index < latencies; index += 1) {
    const { id } = await createOrder();
    const answeredAt = performance.now();
    while (!arrivals.has(id)) await sleep(1);
    took.push(arrivals.get(id)! - answeredAt);
    await sleep(Math.random() * 50);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => Math.round(took[Math.floor(took.length * share)]!);
  return { median: at(0.5), p99: at(0.99) };
}

try {
  await write(2);
  console.log(`orders created a second, no endpoint:   ${await write(secondsOfWriting)}`);
  await post('/webhook-endpoints', { url: hook() });
  const { median, p99 } = await measureLatency();
  console.log(`answer to first delivery, at rest:      median ${median} ms, p99 ${p99} ms`);
  for (let index = 1; index < 50; index += 1) await post('/webhook-endpoints', { url: `${hook()}/${index}` });
  const before = arrived;
  console.log(`orders created a second, 50 endpoints:  ${await write(secondsOfWriting)}`);
  console.log(`deliveries a second beside that:        ${Math.round((arrived - before) / secondsOfWriting)}`);
  const backlogFrom = arrived;
  await sleep(5000);
  console.log(`deliveries a second of the backlog:     ${Math.round((arrived - backlogFrom) / 5)}`);
} finally {
  await dispatch.stop();
  receiver.close();
  receiver.closeAllConnections();
  await app.close();
  await Promise.all([database.close(), working.close()]);
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
