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
  folder = await mkdtemp(join(tmpdir(), 'adventureworks-'));
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
  const received = async () =>
    (await asking.get<{ totalCount: number }>('/purchase-orders?limit=1&status=received')).totalCount;
  const first = start('--url', service.url, '--key', service.key, '--connections', '2');
  const ended = finish(first);
  while ((await received()) < 10 && first.exitCode === null) await sleep(5);
  first.kill('SIGKILL');
  await ended;
  const before = await received();
  asking.close();
  assert(before >= 10 && before < 115, `killed in the middle: ${before} orders of 130 received`);

  const { code, output, report } = await replaySample();
  assert.equal(code, 0, output);
  assert.equal(report.passed, true);
  assert.equal(report.replayed.orders.done + report.replayed.orders.already, 130);
  assert(report.replayed.orders.already >= 10);
  assert.deepEqual(report.comparison.differences, []);
  assert.match(output, /PASSED: no difference/);
});

test('a second run writes nothing and passes', async () => {
  const { code, output, report } = await replaySample();
  assert.equal(code, 0, output);
  const { vendors, products, offers, bins, stock, orders } = report.replayed;
  assert.deepEqual(
    [vendors, products, offers, bins, stock, orders].map(({ done, already }) => [done, already]),
    [
      [0, 71],
      [0, 196],
      [0, 310],
      [0, 439],
      [0, 1],
      [0, 130],
    ],
  );
});

test('one unit too many in the service fails the run, and product and place are named', async () => {
  const asking = client();
  const { report } = await replaySample();
  const { warehouseId } = report.replayed;
  const locations = await Array.fromAsync(
    asking.list<{ id: string; name: string }>(`/warehouses/${warehouseId}/locations`),
  );
  await asking.post('/inventory', 'one more', {
    productVariantIdentifier: 'AR-5381',
    identifierType: 'sku',
    warehouseId,
    warehouseLocationId: locations.find(({ name }) => name === 'DAMAGED')!.id,
    changeQuantity: 1,
  });
  asking.close();
  const after = await replaySample();
  assert.equal(after.code, 1);
  assert.match(after.output, /FAILED/);
  assert.deepEqual(
    after.report.comparison.differences.map(({ of, figure }) => [of, figure]),
    [
      ['product AR-5381', 'damaged'],
      ['product AR-5381', 'onHand'],
      ['product AR-5381', 'units in DAMAGED'],
    ],
  );
});

test('without --url it starts a service of its own, verifies its ledger and exits 0', async () => {
  const file = join(folder, 'own.json');
  const { code, output } = await finish(start('--report', file));
  assert.equal(code, 0, output);
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  assert.deepEqual(report.ledger, { asked: 'waybill verify', clean: true, differences: [] });
  assert.equal(report.comparison.differences.length, 0);
  assert.equal(report.replayed.orders.done, 130);
  const total = (name: string) => report.comparison.totals.find((one) => one.name === name)!.service;
  assert.deepEqual(['units received', 'units damaged', 'units still incoming'].map(total), [
    '109840',
    '2725',
    '563',
  ]);
});

test('a folder without the tables is named', async () => {
  const { code, output } = await finish(start('--dir', join(folder, 'absent')));
  assert.equal(code, 1);
  assert.match(output, /absent/);
});
