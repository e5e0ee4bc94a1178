// Imports: what is made of the rows of a file, what is said of wrong ones, and that a second run adds nothing.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startTestApp } from '../../../test/support/app.ts';
import { levelOf, makeLocation, makeVariant, makeWarehouse } from '../../../test/support/factories.ts';
import { type ImportOptions, importFile } from './import-file.ts';
import { kinds } from './kinds.ts';

const service = await startTestApp();
const folder = await mkdtemp(join(tmpdir(), 'waybill-import-'));
after(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});
const { request } = service;

/** Imports a file of this content; returns made, there and failed, and what was said. */
async function load(
  kind: string,
  name: string,
  content: string | Buffer,
  options: Partial<ImportOptions> & { organizationId?: string } = {},
) {
  const file = join(folder, name);
  await writeFile(file, content);
  const said: string[] = [];
  const { database, organizationId } = service;
  const { made, there, failed } = await importFile(
    { database, organizationId, kind: kinds[kind]!, file, ...options },
    { start() {}, update() {}, say: (text) => said.push(text), stop() {} },
  );
  return { counts: [made, there, failed], said };
}

const find = async (path: string) => (await request('GET', path)).body.data;
const csv = (...lines: string[]) => `${lines.join('\n')}\n`;

test('products: consecutive rows of one name are its variants, and a second run adds none', async () => {
  const content = csv(
    'name,brand,title,sku,price,skuAliases,dimensions.length,taxable,metadata.shelf,countryOfOrigin',
    'Tent,Ridge,Green,TENT-G,199.5,OLD-1|OLD-2,20,false,A,de',
    'Tent,,Blue,TENT-B,199.5,,,,,',
    '"Stove, small",,Gas,STOVE,45,,,,,',
  );
  assert.deepEqual(await load('products', 'tents.csv', content), { counts: [2, 0, 0], said: [] });
  const [tent] = await find('/products?search=tent');
  assert.deepEqual([tent.brand, tent.metadata], ['Ridge', { shelf: 'A' }]);
  const [green, blue] = tent.variants;
  assert.deepEqual(
    [green.sku, green.price, green.skuAliases, green.dimensions.length, green.taxable, green.countryOfOrigin],
    ['TENT-G', 199.5, ['OLD-1', 'OLD-2'], 20, false, 'DE'],
  );
  assert.deepEqual([blue.sku, blue.taxable], ['TENT-B', true]);
  assert.deepEqual((await load('products', 'tents.csv', content)).counts, [0, 2, 0]);
  assert.equal((await find('/products?search=tent')).length, 1);
});

test('each wrong row is named by line and column, and the others are made', async () => {
  const { counts, said } = await load(
    'products',
    'wrong.csv',
    csv(
      'name,title,sku,price',
      'Rope,10 m,ROPE-10,9',
      '"Two',
      'lines",x,TWO,cheap',
      'Axe,Short,AXE-S,1',
      'Axe,Long,,',
      'Saw,Bow',
      'Oar,Left,ROPE-10,3',
      'Oar,Right,OAR-R,3',
    ),
  );
  assert.deepEqual(counts, [1, 0, 4]);
  assert.deepEqual(said, [
    'wrong.csv:3: price: must be number',
    'wrong.csv:6: sku: is required',
    'wrong.csv:7: has 2 cells, and there are 4 columns',
    'wrong.csv:8: Another product variant has this sku',
  ]);
  assert.equal((await find('/products?search=axe')).length, 0);
});

test('rows of one record may not contradict each other', async () => {
  const { said } = await load(
    'products',
    'differ.csv',
    csv('name,brand,title,sku', 'Mat,A,S,MAT-S', 'Mat,B,L,MAT-L'),
  );
  assert.deepEqual(said, ['differ.csv:2: differs in brand on line 3, which belongs to the same record']);
});

test('an unknown column, another encoding and a broken file stop the import with one line', async () => {
  await assert.rejects(load('products', 'a.csv', csv('name;sku', 'x;y')), /no such column: "name;sku"/);
  await assert.rejects(load('products', 'b.csv', Buffer.from('name\nCaf\xe9\n', 'latin1')), /not UTF-8/);
  await assert.rejects(load('products', 'c.csv', 'name,sku\n"open,x\n'), /no proper CSV/);
  await assert.rejects(load('products', 'd.json', '[{"name": "x"},'), /cut off/);
  await assert.rejects(load('products', 'none.csv', ''), /empty/);
});

test('JSON: an array over many lines, or one object on each line, as the API takes them', async () => {
  const customer = (n: number) => ({ name: `Customer ${n} [", ]`, email: `${n}@example.com` });
  const array = JSON.stringify([customer(1), customer(2), { naem: 'x' }], null, 2);
  const first = await load('customers', 'list.json', array);
  assert.deepEqual(first.counts, [2, 0, 1]);
  assert.match(first.said[0]!, /^list\.json:10: .*naem.*: is not a known field$/);
  const lines = `${JSON.stringify(customer(2))}\n\nnonsense\n${JSON.stringify(customer(3))}`;
  const second = await load('customers', 'list.jsonl.gz', gzipSync(lines));
  assert.deepEqual(second.counts, [1, 1, 1]);
  assert.match(second.said[0]!, /^list\.jsonl\.gz:3: is no JSON/);
});

test('customers and suppliers that are there already are left as they are', async () => {
  const people = csv(
    'name,email,phone',
    'Ada,ada@example.com,1',
    'Bea,,2',
    'Bea,,2',
    ',,3',
    'Ada,ada@example.com,9',
  );
  assert.deepEqual((await load('customers', 'people.csv', people)).counts, [3, 2, 0]);
  assert.deepEqual((await load('customers', 'people.csv', people)).counts, [0, 5, 0]);
  const makers = csv('name,currency', 'Potters,eur', 'Weavers,', 'Potters,');
  assert.deepEqual((await load('suppliers', 'makers.csv', makers)).counts, [2, 1, 0]);
  assert.deepEqual((await load('suppliers', 'makers.csv', makers)).counts, [0, 3, 0]);
});

test('orders: rows of one alias are its lines, and an alias is imported once', async () => {
  await makeVariant(request, { sku: 'CUP' });
  const content = csv(
    'name,alias,price,orderDate,productVariantSku,quantity,lineItems.price,shipToAddress.city,tags',
    'SO-,web-1,30,2026-01-02,CUP,2,10,Reno,gift|rush',
    ',web-1,,,CUP,1,10,,',
    'SO-,web-2,1,2026-01-03T10:00:00Z,NOPE,1,,,',
    'SO-,,1,2026-01-03,CUP,1,,,',
  );
  const { counts, said } = await load('orders', 'orders.csv', content);
  assert.deepEqual(counts, [1, 0, 2]);
  assert.match(said[0]!, /^orders\.csv:4: /);
  assert.equal(said[1], 'orders.csv:5: alias: is required in an import');
  const [order] = await find('/orders?alias=web-1');
  const whole = await find(`/orders/${order.id}`);
  assert.deepEqual(
    whole.lineItems.map(({ quantity, price }: Record<string, number>) => [quantity, price]),
    [
      [2, 10],
      [1, 10],
    ],
  );
  assert.deepEqual([whole.shipToAddress.city, whole.tags.length], ['Reno', 2]);
  assert.deepEqual((await load('orders', 'orders.csv', content)).counts, [0, 1, 2]);
});

test('inventory: places by name or id; a second run adds nothing, a corrected line is made', async () => {
  const variant = await makeVariant(request, { sku: 'BEAN' });
  const warehouse = await makeWarehouse(request, { name: 'North' });
  const bin = await makeLocation(request, warehouse.id, { name: 'N-01' });
  const rows = (third: string) =>
    csv(
      'sku,warehouse,location,quantity,lot,expiry',
      'BEAN,North,N-01,10,L1,2031-05-01',
      `BEAN,${warehouse.id},${bin.id.toUpperCase()},-3,,`,
      third,
      'BEAN,North,N-01,5,,',
    );
  const first = await load('inventory', 'stock.csv', rows('BEAN,North,Nowhere,7,,'));
  assert.deepEqual(first.counts, [3, 0, 1]);
  assert.deepEqual(first.said, ['stock.csv:4: location: is no location of this warehouse']);
  assert.equal((await levelOf(request, warehouse.id, variant)).onHandQuantity, 12);

  assert.deepEqual((await load('inventory', 'stock.csv', rows('BEAN,North,N-01,7,,'))).counts, [1, 3, 0]);
  assert.equal((await levelOf(request, warehouse.id, variant)).onHandQuantity, 19);
  const again = { again: true };
  assert.deepEqual(
    (await load('inventory', 'stock.csv', rows('BEAN,North,N-01,7,,'), again)).counts,
    [4, 0, 0],
  );
  assert.equal((await levelOf(request, warehouse.id, variant)).onHandQuantity, 38);
  const movements = await find('/inventory/movements?referenceType=import&productVariantIdentifier=BEAN');
  assert.equal(movements.length, 8);
  assert.equal((await request('GET', '/inventory/verify')).body.data.consistent, true);
});

test('inventory: what cannot be done, and names that mean two warehouses', async () => {
  await makeWarehouse(request, { name: 'Twin' });
  await makeWarehouse(request, { name: 'Twin' });
  const { counts, said } = await load(
    'inventory',
    'more.csv',
    csv(
      'productVariantIdentifier,warehouse,location,quantity',
      'BEAN,Twin,RECEIVING,1',
      'BEAN,South,RECEIVING,1',
      'NOPE,North,RECEIVING,1',
      'BEAN,North,RECEIVING,-1000',
      'BEAN,North,RECEIVING,0',
    ),
  );
  assert.deepEqual(counts, [0, 0, 5]);
  const place = (n: number) => said[n]!.split(': ').slice(0, 2).join(': ');
  assert.deepEqual([0, 1, 4].map(place), [
    'more.csv:2: warehouse',
    'more.csv:3: warehouse',
    'more.csv:6: quantity',
  ]);
  assert.match(said[2]!, /No product variant/);
  assert.match(said[3]!, /more\.csv:5: /);
});

test('a dry run says the same and writes nothing', async () => {
  const dry = { dryRun: true };
  const order = 'name,alias,price,orderDate,productVariantSku,quantity';
  const runs = {
    products: csv('name,title,sku', 'Hat,One,HAT', 'Tent,Green,TENT-G'),
    customers: csv('name,phone', 'Cid,', 'Bea,2'),
    suppliers: csv('name', 'Smiths', 'Potters'),
    orders: csv(order, 'SO-,d,1,2026-01-02,CUP,1', 'SO-,web-1,1,2026-01-02,CUP,1'),
  };
  for (const [kind, content] of Object.entries(runs)) {
    const expected = [1, 1, 0];
    assert.deepEqual((await load(kind, 'dry.csv', content, dry)).counts, expected, kind);
    assert.deepEqual((await load(kind, 'dry.csv', content)).counts, expected, kind);
  }
  const stock = csv('sku,warehouse,location,quantity', 'BEAN,North,N-01,1');
  assert.deepEqual((await load('inventory', 'dry.csv', stock, dry)).counts, [1, 0, 0]);
  assert.deepEqual((await load('inventory', 'dry.csv', stock)).counts, [1, 0, 0]);
});

test('a second run at the same time adds nothing either', async () => {
  const lines = Array.from({ length: 30 }, () => 'BEAN,North,N-01,1');
  const content = csv('sku,warehouse,location,quantity', ...lines);
  const both = await Promise.all([0, 1].map(() => load('inventory', 'twice.csv', content)));
  assert.deepEqual(both.map(({ counts }) => counts[0]).sort(), [0, 30]);
});

test('another organisation finds nothing of this one', async () => {
  const other = await service.makeOrganization();
  const stock = csv('sku,warehouse,location,quantity', 'BEAN,North,N-01,1');
  const { counts, said } = await load('inventory', 'other.csv', stock, { organizationId: other.id });
  assert.deepEqual([counts, said], [[0, 0, 1], ['other.csv:2: warehouse: is no warehouse']]);
});
