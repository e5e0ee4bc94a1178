// The look-ups that orders and inventory use: which variant a reference means, or why none.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { makeBundle, makeVariant, unique } from '../../test/support/factories.ts';
import { newId } from '../database/ids.ts';
import {
  findLineVariants,
  type Identifier,
  type LineReference,
  resolveIdentifier,
  resolveIdentifiers,
} from './variant-lookup.ts';

const home = await startTestApp();
after(home.close);
const { request, database, organizationId } = home;

const archive = ({ productId }: { productId: string }) => request('DELETE', `/products/${productId}`);
const resolve = async (identifier: string, type?: Identifier['type']) =>
  (await resolveIdentifier(database, organizationId, identifier, type)).id;
const find = async (references: LineReference[]) => {
  const matches = await findLineVariants(database, organizationId, references);
  return matches.map((match) => (match.status === 'found' ? match.variant.id : match.status));
};

test('an identifier is tried as id, sku, alias and barcode, in this order', async () => {
  const code = unique('CODE-');
  const byBarcode = await makeVariant(request, { barcode: code });
  assert.equal(await resolve(code), byBarcode.id);
  const byAlias = await makeVariant(request, { skuAliases: [code] });
  assert.equal(await resolve(code), byAlias.id);
  const bySku = await makeVariant(request, { sku: code });
  assert.equal(await resolve(code), bySku.id);
  assert.equal(await resolve(byBarcode.id.toUpperCase()), byBarcode.id);
  assert.equal(await resolve(code, 'skuAliases'), byAlias.id);
  assert.equal(await resolve(code, 'barcode'), byBarcode.id);
  await assert.rejects(resolve(code, 'id'), { code: 'variant_not_found', status: 404 });
});

test('two matches inside one type are ambiguous, one type before them decides', async () => {
  const alias = unique('ALIAS-');
  await makeVariant(request, { skuAliases: [alias] });
  await makeVariant(request, { skuAliases: [alias] });
  await assert.rejects(resolve(alias), { code: 'ambiguous_identifier', status: 400 });
  const { id } = await makeVariant(request, { sku: alias });
  assert.equal(await resolve(alias), id);
});

test('an archived variant is found, unless an unarchived one answers in any way', async () => {
  const sku = unique('SKU-');
  const barcode = unique('BAR-');
  const old = await makeVariant(request, { sku, barcode });
  await archive(old);
  assert.deepEqual([await resolve(sku), await resolve(barcode)], [old.id, old.id]);
  const successor = await makeVariant(request, { skuAliases: [sku] });
  assert.equal(await resolve(sku), successor.id);
  assert.equal(await resolve(sku, 'sku'), old.id);
});

test('no identifier reaches another organization', async () => {
  const other = await home.makeOrganization();
  const sku = unique('SKU-');
  const foreign = await makeVariant(other.request, { sku, barcode: sku, skuAliases: [`A-${sku}`] });
  for (const identifier of [sku, `A-${sku}`, foreign.id]) {
    await assert.rejects(resolve(identifier), { code: 'variant_not_found' });
  }
});

test('ten thousand identifiers are one statement, each answered in its place', async () => {
  const variants = [await makeVariant(request, { skuAliases: ['BULK-ALIAS'] }), await makeVariant(request)];
  const known = [variants[0].sku, 'BULK-ALIAS', variants[1].id, 'nothing'];
  const expected = [variants[0].id, variants[0].id, variants[1].id, 'missing'];
  const identifiers = Array.from({ length: 10_000 }, (_, index) => ({ identifier: known[index % 4]! }));
  let results: Awaited<ReturnType<typeof resolveIdentifiers>> = [];
  const statements = await home.statements(async () => {
    results = await resolveIdentifiers(database, organizationId, identifiers);
  });
  assert.equal(statements.length, 1);
  const ids = results.map((result) => (typeof result === 'string' ? result : result.id));
  assert.deepEqual(new Set(ids.map((id, index) => `${index % 4} ${id}`)).size, 4);
  assert.deepEqual(ids.slice(0, 4), expected);
});

test('an order line is found by each of its references', async () => {
  const title = unique('Title ');
  const codes = { barcode: unique('B'), upc: unique('U'), ean: unique('E'), isbn: unique('I') };
  const variant = await makeVariant(request, { title, asin: unique('A'), ...codes });
  const references: LineReference[] = [
    { productVariantId: variant.id },
    { productVariantSku: variant.sku },
    { productVariantTitle: title },
    { productVariantBarcode: variant.barcode },
    { productVariantUpc: variant.upc },
    { productVariantEan: variant.ean },
    { productVariantIsbn: variant.isbn },
    { productVariantAsin: variant.asin },
  ];
  assert.deepEqual(await find(references), Array(8).fill(variant.id));
  assert.deepEqual(await find([Object.assign({}, ...references)]), [variant.id]);
});

test('references of one line must agree; null says nothing; nothing said finds nothing', async () => {
  const [a, b] = [await makeVariant(request), await makeVariant(request)];
  assert.deepEqual(
    await find([
      { productVariantSku: a.sku, productVariantId: b.id },
      { productVariantSku: a.sku, productVariantUpc: 'none' },
      { productVariantSku: a.sku, productVariantTitle: null, productVariantUpc: null },
      { productVariantId: 'not an id' },
      { productVariantSku: unique('NO-') },
      {},
    ]),
    ['missing', 'missing', a.id, 'missing', 'missing', 'missing'],
  );
});

test('a title that several unarchived variants have is ambiguous; a sku beside it decides', async () => {
  const title = unique('Title ');
  const [a] = [await makeVariant(request, { title }), await makeVariant(request, { title })];
  assert.deepEqual(
    await find([{ productVariantTitle: title }, { productVariantTitle: title, productVariantSku: a.sku }]),
    ['ambiguous', a.id],
  );
});

test('an unarchived match wins; where all are archived, that is said', async () => {
  const title = unique('Title ');
  const [sku, upc] = [unique('SKU-'), unique('U')];
  const references = [
    { productVariantSku: sku },
    { productVariantUpc: upc },
    { productVariantTitle: title },
    { productVariantTitle: title, productVariantSku: sku },
  ];
  for (let round = 0; round < 3; round += 1) await archive(await makeVariant(request, { title, sku, upc }));
  assert.deepEqual(await find(references), Array(4).fill('archived'));
  const { id } = await makeVariant(request, { title, sku, upc });
  assert.deepEqual(await find(references), Array(4).fill(id));
});

test('a line’s variant carries what an order needs; a bundle its components by variant id', async () => {
  const plain = await makeVariant(request, { price: 12.5, compareAtPrice: 15, inventoryPolicy: 'continue' });
  const untracked = await makeVariant(request, { tracksInventory: false });
  const bundle = await makeBundle(request, { [untracked.id]: 1, [plain.id]: 2 }, { requiresShipping: false });
  const [first, second] = await findLineVariants(database, organizationId, [
    { productVariantId: plain.id },
    { productVariantSku: bundle.sku },
  ]);
  assert.ok(first?.status === 'found' && second?.status === 'found');
  const { price, compare_at_price, currency, tracks_inventory, is_bundle, components } = first.variant;
  assert.deepEqual(
    [Number(price), Number(compare_at_price), currency, tracks_inventory, is_bundle, components],
    [12.5, 15, 'usd', true, false, []],
  );
  assert.equal(typeof price, 'string');
  assert.deepEqual(
    [second.variant.is_bundle, second.variant.requires_shipping, second.variant.components],
    [
      true,
      false,
      [
        { productVariantId: plain.id, quantity: 2, tracksInventory: true, inventoryPolicy: 'continue' },
        { productVariantId: untracked.id, quantity: 1, tracksInventory: false, inventoryPolicy: 'deny' },
      ],
    ],
  );
});

test('lines of every kind are one statement, whatever their number', async () => {
  const variant = await makeVariant(request, { upc: unique('U') });
  const references = Array.from({ length: 900 }, (_, index): LineReference[] => [
    { productVariantSku: index === 0 ? variant.sku : unique('NO-') },
    { productVariantUpc: variant.upc },
    { productVariantTitle: unique('NO-') },
    { productVariantId: newId() },
  ]).flat();
  const statements = await home.statements(() => find(references));
  assert.equal(statements.length, 1);
});

test('nothing asked is answered without a statement', async () => {
  const statements = await home.statements(async () => {
    assert.deepEqual(await find([]), []);
    assert.deepEqual(await find([{}]), ['missing']);
    assert.deepEqual(await resolveIdentifiers(database, organizationId, []), []);
  });
  assert.deepEqual(statements, []);
});
