// GET /inventory/movements: the ledger.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Request, startTestApp, type TestApp } from '../../test/support/app.ts';
import {
  addStock,
  makeLocation,
  makePlace,
  makeVariant,
  type Place,
  unique,
} from '../../test/support/factories.ts';
import { newId } from '../database/ids.ts';

let app: TestApp;
let request: Request;
let place: Place;
before(async () => {
  app = await startTestApp();
  request = app.request;
  place = await makePlace(request);
});
after(() => app.close());

interface Movement {
  id: string;
  quantity: number;
  createdAt: string;
}

async function movements(query: string): Promise<Movement[]> {
  const answer = await request('GET', `/inventory/movements?limit=100&${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.totalCount, answer.body.data.length);
  return answer.body.data;
}

const quantities = async (query: string) => (await movements(query)).map(({ quantity }) => quantity);

test('200 shows a movement with its variant, its reason and who made it; the newest first', async () => {
  const variant = await makeVariant(request, { title: 'Blue' });
  await addStock(request, place, variant.id, 5, { lotNumber: 'L1', reason: 'found' });
  await addStock(request, place, variant.id, -2);
  const [second, first] = (await movements(`productVariantId=${variant.id}`)) as unknown as Record<
    string,
    unknown
  >[];
  const { id, createdAt, apiKeyId, ...rest } = first!;
  assert.deepEqual(rest, {
    organizationId: app.organizationId,
    warehouseId: place.warehouseId,
    productVariantId: variant.id,
    productVariant: { id: variant.id, title: 'Blue', sku: variant.sku },
    fromWarehouseLocationId: null,
    toWarehouseLocationId: place.warehouseLocationId,
    quantity: 5,
    lotNumber: 'L1',
    expirationDate: null,
    unitsOfMeasureId: null,
    reason: 'found',
    referenceType: null,
    referenceId: null,
  });
  assert.ok(id && createdAt && apiKeyId);
  assert.equal(second!['quantity'], -2);
});

test('200 filters by variant, warehouse, location, reason, reference and search', async () => {
  const word = unique('ledger');
  const variant = await makeVariant(request, { sku: word });
  const other = await makePlace(request);
  const bin = await makeLocation(request, place.warehouseId);
  await addStock(request, place, word, 10, { reason: word });
  await addStock(request, place, word, 3, { moveToWarehouseLocationId: bin.id });
  await addStock(request, other, word, 20);
  const ofIt = `sortOrder=asc&productVariantIdentifier=${word}`;
  assert.deepEqual(await quantities(ofIt), [10, 3, 20]);
  assert.deepEqual(await quantities(`${ofIt}&identifierType=sku`), [10, 3, 20]);
  assert.deepEqual(await quantities(`sortOrder=asc&search=${word.toUpperCase()}`), [10, 3, 20]);
  assert.deepEqual(await quantities(`${ofIt}&warehouseId=${other.warehouseId}`), [20]);
  assert.deepEqual(await quantities(`warehouseLocationId=${bin.id}`), [3]);
  assert.deepEqual(await quantities(`${ofIt}&warehouseLocationId=${place.warehouseLocationId}`), [10, 3]);
  assert.deepEqual(await quantities(`reason=${word}`), [10]);
  assert.deepEqual(await quantities(`productVariantId=${variant.id}&reason=move`), [3]);
  assert.deepEqual(await quantities(`referenceId=${newId()}`), []);
  assert.deepEqual(await quantities(`productVariantId=${variant.id}&referenceType=order`), []);
  assert.deepEqual(await quantities(`productVariantId=${newId()}`), []);
  assert.deepEqual(await quantities(`productVariantId=${variant.id}&sortBy=quantity`), [20, 10, 3]);
});

test('200 of a range of days, both ends included, in UTC or in a named zone', async () => {
  const variant = await makeVariant(request);
  await addStock(request, place, variant.id, 1);
  const [{ createdAt }] = (await movements(`productVariantId=${variant.id}`)) as [Movement];
  const day = (offset: number, zone = 'UTC') =>
    new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.parse(createdAt) + offset * 86_400_000);
  const count = async (from: string | undefined, to: string | undefined, zone?: string) => {
    const ranges = Object.entries({ 'dateRange[from]': from, 'dateRange[to]': to, timezone: zone })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `&${encodeURIComponent(name)}=${value}`);
    return (await movements(`productVariantId=${variant.id}${ranges.join('')}`)).length;
  };
  assert.equal(await count(day(0), day(0)), 1);
  assert.equal(await count(day(1), undefined), 0);
  assert.equal(await count(undefined, day(-1)), 0);
  assert.equal(await count('1900-01-01', '9999-12-31'), 1);
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata']) {
    assert.equal(await count(day(0, zone), day(0, zone), zone), 1, zone);
    assert.equal(await count(day(1, zone), day(1, zone), zone), 0, zone);
  }
});

test('400 names a first day after the last, a day that is none, and an unknown zone; 404 an unknown variant', async () => {
  for (const [query, paths] of [
    ['dateRange[from]=2026-02-02&dateRange[to]=2026-02-01', ['/dateRange[from]']],
    ['dateRange[from]=2026-02-30', ['/dateRange[from]']],
    ['dateRange[to]=2026-02-01T00:00:00Z', ['/dateRange[to]']],
    ['dateRange[to]=2026-02-01&timezone=Mars/Olympus', ['/timezone']],
    ['timezone=%2B02:00', ['/timezone']],
    ['referenceId=SO-1001', ['/referenceId']],
  ] as const) {
    const { status, body } = await request('GET', `/inventory/movements?${query}`);
    assert.equal(status, 400, query);
    assert.deepEqual(
      body.error.details.issues.map((issue: { path: string }) => issue.path),
      paths,
    );
  }
  const { status } = await request('GET', '/inventory/movements?productVariantIdentifier=no-such-thing');
  assert.equal(status, 404);
});

test('a cursor walks the ledger once while it grows, with a constant number of statements a page', async () => {
  const variant = await makeVariant(request);
  for (let n = 1; n <= 7; n += 1) await addStock(request, place, variant.id, n);
  const walked: Movement[] = [];
  let cursor = '';
  const counts = new Set<number>();
  do {
    const path = `/inventory/movements?limit=3&productVariantId=${variant.id}${cursor}`;
    let page: { data: Movement[]; nextCursor: string | null } | undefined;
    const sent = await app.statements(async () => {
      page = (await request('GET', path)).body;
    });
    counts.add(sent.length);
    walked.push(...page!.data);
    await addStock(request, place, variant.id, 100);
    cursor = page!.nextCursor === null ? '' : `&cursor=${page!.nextCursor}`;
  } while (cursor !== '');
  assert.deepEqual(
    walked.map(({ quantity }) => quantity),
    [7, 6, 5, 4, 3, 2, 1],
  );
  assert.equal(counts.size, 1);
});
