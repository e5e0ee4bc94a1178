// The moves of a purchase order: open, confirm, cancel, close, archive, restore.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { make, makeVariant } from '../../test/support/factories.ts';
import { moveOn, purchasingOf } from '../../test/support/purchasing.ts';
import { eventsOf } from '../../test/support/rows.ts';
import { newId } from '../database/ids.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { request, get, ordered, receive, refused, figures, consistent } = purchasingOf(() => test);
const act = (id: string, action: string) => request('POST', `/purchase-orders/${id}/${action}`);

/** How to bring an order there: actions, then units received of the ten that were ordered. */
const ways: Record<string, [actions: string[], received?: number]> = {
  draft: [[]],
  open: [['open']],
  confirmed: [['open', 'confirm']],
  'partially-received': [['open', 'confirm'], 4],
  received: [['open', 'confirm'], 10],
  cancelled: [['cancel']],
};

/** Action -> where it leads from where; every other move is refused. */
const moves: Record<string, Record<string, string>> = {
  open: { draft: 'open' },
  confirm: { open: 'confirmed' },
  cancel: { draft: 'cancelled', open: 'cancelled', confirmed: 'cancelled' },
  close: { 'partially-received': 'received' },
};

async function orderThat(status: string) {
  const [actions, received] = ways[status]!;
  const made = await ordered([10], actions);
  if (received !== undefined) await receive(made.id, { [made.lines[0]!]: received });
  assert.equal((await get(made.id)).status, status);
  return made;
}

describe('the states of a purchase order', () => {
  for (const status of Object.keys(ways)) {
    it(`${status}: every move that leads on is made, every other is refused and nothing is written`, async () => {
      for (const [action, leads] of Object.entries(moves)) {
        const { id } = await orderThat(status);
        const to = leads[status];
        if (to !== undefined) {
          const answer = await act(id, action);
          assert.deepEqual([answer.status, answer.body.data.status], [200, to]);
          continue;
        }
        const received = status === 'partially-received' || status === 'received';
        const code = action === 'cancel' && received ? 'has_receipts' : 'invalid_transition';
        const details = await refused(409, code, () => act(id, action));
        if (code === 'invalid_transition') {
          assert.equal(details.from, status);
          assert.ok(details.to !== undefined && Array.isArray(details.allowed));
        }
      }
      await consistent();
    });
  }

  it('404 for an order that is unknown, on every action', async () => {
    for (const action of [...Object.keys(moves), 'archive', 'restore']) {
      assert.equal((await act(newId(), action)).status, 404);
    }
  });
});

describe('what the moves do', () => {
  it('confirming makes the units incoming, cancelling takes them away, and says when', async () => {
    const { id, warehouse, variant } = await ordered([10], ['open']);
    assert.deepEqual(await figures(warehouse, variant), [0, 0, 0, 0, 0]);
    await act(id, 'confirm');
    assert.deepEqual(await figures(warehouse, variant), [0, 0, 0, 0, 10]);
    const cancelled = (await act(id, 'cancel')).body.data;
    assert.notEqual(cancelled.cancelledAt, null);
    assert.deepEqual(await figures(warehouse, variant), [0, 0, 0, 0, 0]);
    await consistent();
  });

  it('closing ends a part-received order: what is missing is no longer incoming', async () => {
    const { id, lines, warehouse, variant } = await ordered([10]);
    await receive(id, { [lines[0]!]: 4 });
    assert.deepEqual(await figures(warehouse, variant), [4, 4, 0, 0, 6]);
    const closed = (await act(id, 'close')).body.data;
    assert.equal(closed.status, 'received');
    assert.notEqual(closed.closedAt, null);
    assert.deepEqual(await figures(warehouse, variant), [4, 4, 0, 0, 0]);
    await consistent();
  });

  it('two lines of one variant and an untracked one: incoming counts the first two only', async () => {
    const { supplier, warehouse, variant } = await ordered([1], []);
    const untracked = await makeVariant(request, { tracksInventory: false });
    const priced = { unitPrice: 1 };
    const draft = await make(request, '/purchase-orders', {
      supplierId: supplier.id,
      warehouseId: warehouse.id,
      lineItems: [
        { productVariantId: variant.id, requestedQuantity: 3, ...priced },
        { productVariantId: untracked.id, requestedQuantity: 5, ...priced },
        { productVariantId: variant.id, requestedQuantity: 4, ...priced },
      ],
    });
    await moveOn(request, draft, 'open', 'confirm');
    assert.deepEqual(await figures(warehouse, variant), [0, 0, 0, 0, 7]);
    assert.deepEqual(await figures(warehouse, untracked), [0, 0, 0, 0, 0]);
    await consistent();
  });

  it('409 archived when the warehouse takes no stock any more, and nothing is written', async () => {
    const { id, warehouse } = await ordered([10], ['open']);
    await make(request, `/warehouses/${warehouse.id}`, { archived: true });
    await refused(409, 'archived', () => act(id, 'confirm'));
    await make(request, `/warehouses/${warehouse.id}`, { archived: false });
    assert.equal((await act(id, 'confirm')).status, 200);
    const kept = await request('POST', `/warehouses/${warehouse.id}`, { archived: true });
    assert.deepEqual([kept.status, kept.body.error.details.code], [409, 'in_use']);
  });

  it('of a confirmation and the warehouse being archived at once, one is refused', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { id, warehouse } = await ordered([10], ['open']);
      const answers = await Promise.all([
        act(id, 'confirm'),
        request('POST', `/warehouses/${warehouse.id}`, { archived: true }),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    }
    await consistent();
  });

  it('409 in_use when a variant on order begins or ceases to hold stock', async () => {
    const { variant, id } = await ordered([10], ['open', 'confirm']);
    const path = `/products/${variant.productId}/variants/${variant.id}`;
    await refused(409, 'in_use', () => request('POST', path, { tracksInventory: false }));
    await act(id, 'cancel');
    assert.equal((await request('POST', path, { tracksInventory: false })).status, 200);
    const untracked = await make(request, '/purchase-orders', {
      supplierId: (await get(id)).supplierId,
      warehouseId: (await get(id)).warehouseId,
      lineItems: [{ productVariantId: variant.id, requestedQuantity: 1, unitPrice: 1 }],
    });
    await moveOn(request, untracked, 'open', 'confirm');
    await refused(409, 'in_use', () => request('POST', path, { tracksInventory: true }));
  });

  it('archiving takes it out of the lists and changes nothing else; a repeat answers the same', async () => {
    const { id, warehouse, variant, order } = await ordered([10]);
    const archived = (await act(id, 'archive')).body.data;
    assert.notEqual(archived.archivedAt, null);
    assert.equal(archived.status, 'confirmed');
    const list = async (query: string) =>
      (await request('GET', `/purchase-orders?warehouseId=${warehouse.id}${query}`)).body.totalCount;
    assert.deepEqual([await list(''), await list('&includeArchived=true')], [0, 1]);
    assert.equal((await act(id, 'archive')).body.data.archivedAt, archived.archivedAt);
    assert.deepEqual(await figures(warehouse, variant), [0, 0, 0, 0, 10]);
    const restored = (await act(id, 'restore')).body.data;
    assert.deepEqual({ ...restored, updatedAt: null }, { ...order, updatedAt: null });
    assert.equal(await list(''), 1);
    assert.equal((await act(id, 'restore')).body.data.archivedAt, null);
  });

  it('each move tells of itself, with what the order was before', async () => {
    const organization = await test.makeOrganization();
    const told = async () =>
      (await eventsOf(test.database, organization.id)).filter((type) => /^purchase_order/.test(type));
    const own = purchasingOf(() => ({ ...test, request: organization.request }));
    const { id, lines } = await own.ordered([10]);
    await own.receive(id, { [lines[0]!]: 4 });
    await organization.request('POST', `/purchase-orders/${id}/close`);
    await own.ordered([10], ['cancel']);
    assert.deepEqual(await told(), [
      'purchase_order.created',
      'purchase_order.updated',
      'purchase_order.confirmed',
      'purchase_order.received',
      'purchase_order.updated',
      'purchase_order.created',
      'purchase_order.cancelled',
    ]);
  });
});
