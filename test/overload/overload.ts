// Finds what the service can do, offers it several times that, then a third of it, and looks at what became of everything.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { audit } from './audit.ts';
import type { Ask, Figures, Journal, Phase } from './generator.ts';
import type { World } from './mix.ts';
import { type Loaded, startLoaded } from './service.ts';

export interface OverloadOptions {
  /** How long the capacity is measured, and how long more than that is offered. */
  capacitySeconds: number;
  seconds: number;
  /** How many times the capacity. */
  times: number;
  /** Slow clients of each kind: idle, sending by single bytes, never reading. */
  slow: number;
  told: (progress: string) => void;
}

export interface OverloadResult {
  /** Requests answered a second, as fast as they are answered. */
  capacity: number;
  before: Figures;
  overload: Figures;
  /** Seconds from the end of the overload to the end of the first one in which nothing was refused. */
  recoveredSeconds: number;
  recovered: Figures;
  /** Megabytes of the service, one a second of the overload. */
  megabytes: number[];
  /** The slowest `/readyz` and `/healthz` of the overload, in milliseconds. */
  probeMs: { healthz: number; readyz: number };
  /** Of the service's event loop, the 99th percentile. */
  loopLagMs: number;
  findings: string[];
}

const oneThird = 1 / 3;

export async function overload(options: OverloadOptions): Promise<OverloadResult> {
  const { capacitySeconds, seconds, times, slow, told } = options;
  const service = await startLoaded();
  const generator = fork(join(import.meta.dirname, 'generator.ts'), [], { execArgv: [] });
  try {
    const world = await makeWorld(service);
    const ask = <Answer>(asked: Ask) => answerOf<Answer>(generator, asked);
    const run = (phase: Phase) => ask<Figures>({ phase });
    await ask({ world, url: service.url, key: service.key });
    await run({ seconds: capacitySeconds / 2 });
    const measured = await run({ seconds: capacitySeconds });
    const capacity = measured.answered / measured.seconds;
    told(`it can do ${Math.round(capacity)} requests a second`);
    const calm = capacity * oneThird;
    const before = await run({ seconds: capacitySeconds, perSecond: calm });
    told(`offering ${Math.round(capacity * times)} a second for ${seconds} s`);
    const watch = watchService(service);
    const during = await run({ seconds, perSecond: capacity * times, slow });
    const watched = await watch.stop();
    const recoveredSeconds = await untilNothingIsRefused(run, calm);
    told(`nothing was refused any more after ${recoveredSeconds} s`);
    const recovered = await run({ seconds: capacitySeconds, perSecond: calm });
    const journal = await ask<Journal>('journal');
    const findings = [measured, before, during, recovered].flatMap((figures) => figures.findings);
    findings.push(...(await audit(await service.databaseUrl(), journal)));
    const { code, out } = await service.waybill('verify');
    if (code !== 0) findings.push(`waybill verify ended with ${code}:\n${out}`);
    return { capacity, before, overload: during, recoveredSeconds, recovered, ...watched, findings };
  } finally {
    await letGo(generator);
    await service.stop();
  }
}

async function letGo(generator: ChildProcess): Promise<void> {
  if (generator.exitCode !== null) return;
  const exited = once(generator, 'exit');
  if (generator.connected) generator.disconnect();
  await exited;
}

async function answerOf<Answer>(generator: ChildProcess, asked: Ask): Promise<Answer> {
  const ended = new AbortController();
  const exit = once(generator, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('the generator ended before its time');
  });
  exit.catch(() => {});
  generator.send(asked);
  try {
    const [answer] = await Promise.race([once(generator, 'message'), exit]);
    return answer;
  } finally {
    ended.abort();
  }
}

async function untilNothingIsRefused(
  run: (phase: Phase) => Promise<Figures>,
  perSecond: number,
): Promise<number> {
  const began = performance.now();
  while ((await run({ seconds: 1, perSecond })).refused > 0);
  return Math.round((performance.now() - began) / 100) / 10;
}

/** Once a second: what the process holds, and whether it still says how it is. */
function watchService(service: Loaded) {
  const origin = service.url.replace(/\/api\/v1$/, '');
  const megabytes: number[] = [];
  const probeMs = { healthz: 0, readyz: 0 };
  const findings: string[] = [];
  let looking = Promise.resolve();
  const probe = async (name: keyof typeof probeMs) => {
    const began = performance.now();
    const answer = await fetch(`${origin}/${name}`).catch((error: unknown) => error as Error);
    probeMs[name] = Math.max(probeMs[name], Math.round(performance.now() - began));
    if (answer instanceof Error) findings.push(`/${name} was not answered: ${answer.message}`);
    else {
      await answer.arrayBuffer();
      if (answer.status !== 200) findings.push(`/${name} answered ${answer.status}`);
    }
  };
  const look = async () => {
    const held = await service.megabytes();
    if (held !== null) megabytes.push(held);
    await Promise.all([probe('healthz'), probe('readyz')]);
  };
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, 1_000);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
      await look();
      const metrics = await (await fetch(`${origin}/metrics`)).text();
      const lag = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(metrics)?.[1] ?? 0);
      return { megabytes, probeMs, loopLagMs: Math.round(lag * 1_000) };
    },
  };
}

async function makeWorld({ url, key }: Loaded): Promise<World> {
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    // biome-ignore lint/suspicious/noExplicitAny: an answer's JSON
    const json = (await answer.json()) as any;
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(json)}`);
    return json.data;
  };
  const warehouse = await post('/warehouses', { name: 'Load' });
  const bin = await post(`/warehouses/${warehouse.id}/locations`, { name: 'A' });
  const skus = Array.from({ length: 100 }, (_, n) => `LOAD-${n}`);
  await post('/products', {
    name: 'Load',
    variants: skus.map((sku) => ({ title: sku, sku, weight: 4, price: 10 })),
  });
  const place = { warehouseId: warehouse.id, warehouseLocationId: bin.id };
  await post('/inventory/bulk', {
    changes: skus.map((sku) => ({
      ...{ productVariantIdentifier: sku, ...place, changeQuantity: 100_000_000, reason: 'opening' },
    })),
  });
  const orders = Array.from({ length: 200 }, (_, n) => ({
    ...{ name: 'LD-', price: 20, orderDate: '2026-11-20T00:00:00Z' },
    lineItems: [0, 1, 2].map((more) => ({
      productVariantSku: skus[(n + more) % skus.length],
      quantity: 1,
      price: 10,
    })),
  }));
  const made = await post('/orders/bulk', { orders });
  const orderIds = made.map(({ data }: { data: { id: string } }) => data.id);
  return { warehouseId: warehouse.id, binId: bin.id, skus, orderIds };
}
