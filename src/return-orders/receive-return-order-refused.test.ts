// When receiving units of a return order is refused, and that nothing is written then.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { make, makePlace, makeProduct, makeVariant, unique } from '../../test/support/factories.ts';
import { returnsOf } from '../../test/support/returns.ts';
import { sql } from '../database/connect.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { receive, warehouse, returned, blind, figures, refused } = returnsOf(() => test);

describe('receiveReturnOrder', () => {
  it('409 quantity_exceeded names every line that has less open, and nothing is written', async () => {
    const { bin } = await warehouse();
    const [one, two] = [await makeVariant(test.request), await makeVariant(test.request)];
    const { returnOrder, lines } = await returned([
      [one.id, 2],
      [two.id, 2],
    ]);
    const restock = { disposition: 'restock', warehouseLocationId: bin };
    const details = await refused(409, () =>
      receive(returnOrder.id, [
        { lineItemId: lines[0].id, quantity: 2, ...restock },
        { lineItemId: lines[0].id, quantity: 1, disposition: 'discard' },
        { lineItemId: lines[1].id, quantity: 3, ...restock },
      ]),
    );
    assert.equal(details.code, 'quantity_exceeded');
    assert.deepEqual(
      details.issues.map(({ path }: Json) => path),
      ['/lineItems/1/quantity', '/lineItems/2/quantity'],
    );
    await receive(returnOrder.id, [{ lineItemId: lines[0].id, quantity: 2, disposition: 'discard' }]);
    const again = () =>
      receive(returnOrder.id, [{ lineItemId: lines[0].id, quantity: 1, disposition: 'discard' }]);
    assert.equal((await refused(409, again)).code, 'quantity_exceeded');
  });

  it('two receipts of the last unit at the same time: one is refused', async () => {
    const { bin, id: warehouseId } = await warehouse();
    const variant = await makeVariant(test.request);
    const { id } = await blind([{ productVariantId: variant.id, quantity: 1 }]);
    const { lineItems } = (await test.request('GET', `/return-orders/${id}`)).body.data;
    const line = {
      lineItemId: lineItems[0].id,
      quantity: 1,
      disposition: 'restock',
      warehouseLocationId: bin,
    };
    const answers = await Promise.all([1, 2, 3, 4].map(() => receive(id, [line])));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    assert.equal((await figures(warehouseId, variant))![0], 1);
  });

  it('400 names every location that is missing, unknown, foreign or of a type that does not fit', async () => {
    const place = await warehouse();
    const stranger = await test.makeOrganization();
    const foreign = await makePlace(stranger.request);
    const variant = await makeVariant(test.request);
    const { returnOrder, lines } = await returned([[variant.id, 20]]);
    const wrong: [string, string | undefined, string][] = [
      ['restock', undefined, 'required'],
      ['restock', place.damaged, 'not_allowed'],
      ['restock', place.qc, 'not_allowed'],
      ['damaged', place.bin, 'not_allowed'],
      ['damaged', place.qc, 'not_allowed'],
      ['quality-control', place.damaged, 'not_allowed'],
      ['quality-control', place.returns, 'not_allowed'],
      ['restock', foreign.warehouseLocationId, 'not_found'],
      ['discard', variant.id, 'not_found'],
    ];
    const details = await refused(400, () =>
      receive(
        returnOrder.id,
        wrong.map(([disposition, warehouseLocationId = null]) => ({
          lineItemId: lines[0].id,
          quantity: 1,
          disposition,
          warehouseLocationId,
        })),
        { warehouseId: foreign.warehouseId },
      ),
    );
    assert.deepEqual(
      details.issues.map(({ path, code }: Json) => [path, code]),
      [
        ['/warehouseId', 'not_found'],
        ...wrong.map(([, , code], index) => [`/lineItems/${index}/warehouseLocationId`, code]),
      ],
    );
  });

  it('409 for a location that is archived, naming the line, and nothing is written', async () => {
    const place = await warehouse();
    const variant = await makeVariant(test.request);
    await make(test.request, `/warehouses/${place.id}`, { archived: true });
    const { id } = await blind();
    const line = {
      productVariantId: variant.id,
      quantity: 1,
      disposition: 'restock',
      warehouseLocationId: place.bin,
    };
    const details = await refused(409, () => receive(id, [line]));
    assert.deepEqual([details.code, details.issues[0].path], ['archived', '/lineItems/0']);
  });

  it('400 for a line of another return, for none, and for a variant that the order never had', async () => {
    const variant = await makeVariant(test.request);
    const mine = await returned([[variant.id, 1]]);
    const other = await returned([[variant.id, 1]]);
    const stray = await makeVariant(test.request);
    const discard = { quantity: 1, disposition: 'discard' };
    const details = await refused(400, () =>
      receive(mine.returnOrder.id, [
        { lineItemId: other.lines[0].id, ...discard },
        discard,
        { productVariantSku: stray.sku, ...discard },
      ]),
    );
    assert.deepEqual(
      details.issues.map(({ path, code }: Json) => [path, code]),
      [
        ['/lineItems/0', 'not_found'],
        ['/lineItems/1', 'required'],
        ['/lineItems/2', 'not_found'],
      ],
    );
    const byVariant = await receive(mine.returnOrder.id, [{ productVariantSku: variant.sku, ...discard }]);
    assert.equal(byVariant.body.data.status, 'received', byVariant.text);
  });

  it('409 once it is cancelled or closed, 412 when the ETag is stale, 404 when there is none', async () => {
    const variant = await makeVariant(test.request);
    const line = { productVariantId: variant.id, quantity: 1, disposition: 'discard' };
    const { id } = await blind();
    assert.equal((await receive(id, [line], {}, { 'if-match': '"2"' })).status, 412);
    assert.equal((await receive(variant.id, [line])).status, 404);
    for (const status of ['cancelled', 'closed']) {
      await test.database.query(sql`
        update return_orders set status = ${status} where organization_id = ${test.organizationId} and id = ${id}`);
      const details = await refused(409, () => receive(id, [line]));
      assert.deepEqual([details.code, details.from], ['invalid_transition', status]);
    }
  });

  it('200 lines cost as many statements as two', async () => {
    const place = await warehouse();
    const variants: Json[] = (await makeProduct(test.request, {}, Array(202).fill({}))).variants;
    const cost = async (some: Json[]) => {
      const { returnOrder, lines } = await returned(some.map((variant) => [variant.id, 2]));
      const came = lines.map((line: Json, index: number) => ({
        lineItemId: line.id,
        quantity: 1,
        ...(index % 2 === 0
          ? { disposition: 'restock', warehouseLocationId: place.bin }
          : { disposition: 'damaged', warehouseLocationId: place.damaged }),
      }));
      const sent = await test.statements(async () => {
        const answer = await receive(returnOrder.id, came);
        assert.equal(answer.status, 200, answer.text);
      });
      return sent.length;
    };
    const few = await cost(variants.slice(200));
    assert.equal(await cost(variants.slice(0, 200)), few);
  });

  it('many receipts at once over the same variants and orders all succeed, and the ledger agrees', async () => {
    const place = await warehouse();
    const variants = [await makeVariant(test.request), await makeVariant(test.request)];
    const pairs = variants.map((variant): [string, number] => [variant.id, 2]);
    const returns = [];
    for (let n = 0; n < 6; n += 1) {
      returns.push(await returned(n % 2 === 0 ? pairs : pairs.toReversed()));
    }
    const answers = await Promise.all(
      returns.map(({ returnOrder, lines }) =>
        receive(
          returnOrder.id,
          lines.map((line: Json) => ({
            lineItemId: line.id,
            quantity: 2,
            disposition: 'restock',
            warehouseLocationId: place.bin,
          })),
        ),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(6).fill(200),
    );
    const verified = await test.request('GET', '/inventory/verify');
    assert.deepEqual(verified.body.data.differences, []);
    for (const variant of variants) assert.equal((await figures(place.id, variant))![0], 12);
  });

  it('answers a repeat with the same Idempotency-Key, and brings in nothing twice', async () => {
    const place = await warehouse();
    const variant = await makeVariant(test.request);
    const { id } = await blind();
    const line = {
      productVariantId: variant.id,
      quantity: 1,
      disposition: 'restock',
      warehouseLocationId: place.bin,
    };
    const key = { 'idempotency-key': unique('receive-') };
    const first = await receive(id, [line], {}, key);
    const again = await receive(id, [line], {}, key);
    assert.equal(again.text, first.text);
    assert.equal((await figures(place.id, variant))![0], 1);
  });
});
