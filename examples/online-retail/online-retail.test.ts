// The whole example against a real service: the sample ends with no difference, also after a kill and the second time.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../support/client.ts';
import { type OwnService, startService } from '../support/own-service.ts';
import type { Report } from './report.ts';

const main = join(import.meta.dirname, 'main.ts');
let folder: string;
let service: OwnService;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'online-retail-'));
  service = await startService();
});
after(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [main, '--quiet', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function finish(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

/** Replays the sample into the service of this file and reads the report. */
async function replaySample(): Promise<{ code: number | null; output: string; report: Report }> {
  const file = join(folder, 'report.json');
  const ended = await finish(start('--url', service.url, '--key', service.key, '--report', file));
  const report = JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) as Report | null;
  assert(report, ended.output);
  await rm(file);
  return { ...ended, report };
}

function client() {
  return createClient({ url: service.url, key: service.key, run: 'test', connections: 1 });
}

test('a run killed in the middle is taken up again and ends with no difference', async () => {
  const asking = client();
  const ordersThere = async () => (await asking.get<{ totalCount: number }>('/orders?limit=1')).totalCount;
  const first = start('--url', service.url, '--key', service.key, '--connections', '2');
  const ended = finish(first);
  while ((await ordersThere()) < 20 && first.exitCode === null) await sleep(5);
  first.kill('SIGKILL');
  await ended;
  const before = await ordersThere();
  asking.close();
  assert(before >= 20 && before < 128, `killed in the middle: ${before} orders of 128`);

  const { code, output, report } = await replaySample();
  assert.equal(code, 0, output);
  assert.equal(report.passed, true);
  assert.equal(report.replayed.orders.done + report.replayed.orders.already, 128);
  assert(report.replayed.orders.already >= 20);
  assert.match(output, /PASSED: no difference/);
});

test('a second run writes nothing and passes', async () => {
  const { code, output, report } = await replaySample();
  assert.equal(code, 0, output);
  const { products, customers, orders, stockChanges } = report.replayed;
  assert.deepEqual(products, { done: 0, already: 1_050 });
  assert.deepEqual(customers, { done: 0, already: 168 });
  assert.deepEqual(orders, { done: 0, already: 128 });
  assert.deepEqual(stockChanges, { done: 0, already: 137 });
});

test('one unit too many in the service fails the run and is named', async () => {
  const asking = client();
  const { report } = await replaySample();
  await asking.post('/inventory', 'one more', {
    productVariantIdentifier: '85123A',
    identifierType: 'sku',
    warehouseId: report.replayed.warehouseId,
    warehouseLocationId: report.replayed.locationId,
    changeQuantity: 1,
  });
  asking.close();
  const after = await replaySample();
  assert.equal(after.code, 1);
  assert.match(after.output, /FAILED/);
  assert.deepEqual(
    after.report.comparison.skuDifferences.map(({ sku, figure }) => [sku, figure]),
    [
      ['85123A', 'on hand'],
      ['85123A', 'available'],
    ],
  );
});

test('without --url it starts a service of its own, verifies its ledger and exits 0', async () => {
  const file = join(folder, 'own.json');
  const { code, output } = await finish(start('--report', file));
  assert.equal(code, 0, output);
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  assert.deepEqual(report.ledger, { asked: 'waybill verify', clean: true, differences: [] });
  assert.equal(report.comparison.skuDifferences.length, 0);
  assert.equal(report.replayed.orders.done, 128);
  if (process.platform === 'linux') assert((report.measures.servicePeakMegabytes ?? 0) > 0);
});

test('wrong arguments are named', async () => {
  const noKey = await finish(start('--url', service.url));
  assert.notEqual(noKey.code, 0);
  assert.match(noKey.output, /--url needs --key/);
  const noFile = await finish(
    start('--file', join(folder, 'absent.csv'), '--url', service.url, '--key', 'x'),
  );
  assert.equal(noFile.code, 1);
  assert.match(noFile.output, /absent\.csv/);
});
