// When a receipt is refused: with which status and code, naming what, and that nothing is written then.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { make, makeLocation, makeWarehouse } from '../../test/support/factories.ts';
import { issuesIn, purchasingOf } from '../../test/support/purchasing.ts';
import { newId } from '../database/ids.ts';
import * as limits from '../limits.ts';

let test: TestApp;
before(async () => {
  test = await startTestApp();
});
after(() => test.close());

const { request, ordered, receive, locations, refused, figures, consistent } = purchasingOf(() => test);

describe('createReceipt is refused', () => {
  for (const [status, actions] of Object.entries({ draft: [], open: ['open'], cancelled: ['cancel'] })) {
    it(`409 invalid_transition while the order is ${status}`, async () => {
      const { id, lines } = await ordered([10], actions);
      const details = await refused(409, 'invalid_transition', () => receive(id, { [lines[0]!]: 1 }));
      assert.equal(details.from, status);
    });
  }

  it('409 over_receipt names every line that would get more than is still to come, its inputs summed', async () => {
    const { id, lines } = await ordered([10, 5, 5]);
    await receive(id, { [lines[0]!]: 7 });
    const lineItems = [
      { lineItemId: lines[0]!, quantity: 2 },
      { lineItemId: lines[1]!, quantity: 5 },
      { lineItemId: lines[0]!.toUpperCase(), quantity: 2 },
      { lineItemId: lines[2]!, quantity: 6 },
    ];
    const details = await refused(409, 'over_receipt', () =>
      request('POST', `/purchase-orders/${id}/receipts`, { lineItems }),
    );
    assert.deepEqual(issuesIn(details), {
      '/lineItems/0/quantity': 'over_receipt',
      '/lineItems/2/quantity': 'over_receipt',
      '/lineItems/3/quantity': 'over_receipt',
    });
  });

  it('409 over_receipt once all is received, and for whatever comes after the order was closed', async () => {
    const { id, lines } = await ordered([10, 5]);
    await receive(id, { [lines[0]!]: 10 });
    await refused(409, 'over_receipt', () => receive(id, { [lines[0]!]: 1 }));
    await make(request, `/purchase-orders/${id}/close`);
    await refused(409, 'over_receipt', () => receive(id, { [lines[1]!]: 1 }));
    assert.equal((await receive(id, { [lines[1]!]: 1 }, { allowOverReceipt: true })).status, 200);
    await consistent();
  });

  it('400 for a line of another order and one that nobody has, both named', async () => {
    const { id } = await ordered([10]);
    const other = await ordered([10]);
    const details = await refused(400, 'invalid_parameters', () =>
      receive(id, { [other.lines[0]!]: 1, [newId()]: 1 }),
    );
    assert.deepEqual(issuesIn(details), {
      '/lineItems/0/lineItemId': 'not_found',
      '/lineItems/1/lineItemId': 'not_found',
    });
  });

  it('400 for a location that is unknown, of another warehouse, or of a type that its units must not go to', async () => {
    const { id, lines, warehouse } = await ordered([10, 10, 10]);
    const at = await locations(warehouse.id);
    const elsewhere = await makeLocation(request, (await makeWarehouse(request)).id);
    const details = await refused(400, 'invalid_parameters', () =>
      receive(id, {
        [lines[0]!]: { quantity: 1, warehouseLocationId: newId(), damagedLocationId: elsewhere.id },
        [lines[1]!]: { quantity: 2, damagedQuantity: 1, damagedLocationId: at['RECEIVING'] },
        [lines[2]!]: { quantity: 2, warehouseLocationId: at['QC'], qualityControlLocationId: at['DAMAGED'] },
      }),
    );
    assert.deepEqual(issuesIn(details), {
      '/lineItems/0/warehouseLocationId': 'not_found',
      '/lineItems/0/damagedLocationId': 'not_found',
      '/lineItems/1/damagedLocationId': 'not_allowed',
      '/lineItems/2/warehouseLocationId': 'not_allowed',
      '/lineItems/2/qualityControlLocationId': 'not_allowed',
    });
  });

  it('400 when more is damaged or in quality control than arrived, and for no units at all', async () => {
    const { id, lines } = await ordered([10, 10, 10, 10, 10]);
    const details = await refused(400, 'invalid_parameters', () =>
      receive(id, {
        [lines[0]!]: { quantity: 2, damagedQuantity: 3 },
        [lines[1]!]: { quantity: 3, damagedQuantity: 2, qualityControlQuantity: 2 },
        [lines[2]!]: 0,
        [lines[3]!]: { quantity: 2, damagedQuantity: -1 },
        [lines[4]!]: { quantity: -2, qualityControlQuantity: 1 },
      }),
    );
    assert.deepEqual(issuesIn(details), {
      '/lineItems/0/damagedQuantity': 'out_of_range',
      '/lineItems/1/qualityControlQuantity': 'out_of_range',
      '/lineItems/2/quantity': 'out_of_range',
      '/lineItems/3/damagedQuantity': 'out_of_range',
      '/lineItems/4/qualityControlQuantity': 'out_of_range',
    });
  });

  it('400 for no lines, an unknown field, and quantities that are no whole numbers', async () => {
    const { id, lines } = await ordered([10]);
    for (const lineItems of [
      [],
      [{ lineItemId: lines[0], quantity: 1.5 }],
      [{ lineItemId: lines[0], quantity: '1' }],
      [{ lineItemId: lines[0], quantity: 1, damaged: 1 }],
      [{ quantity: 1 }],
    ]) {
      await refused(400, 'invalid_parameters', () =>
        request('POST', `/purchase-orders/${id}/receipts`, { lineItems }),
      );
    }
  });

  it('400 naming the line when there would be more units than a level or a line can count', async () => {
    const { id, lines } = await ordered([limits.quantityMax, 1]);
    const allow = { allowOverReceipt: true };
    await receive(id, { [lines[0]!]: limits.quantityMax });
    await receive(id, { [lines[0]!]: limits.quantityMax }, allow);
    const details = await refused(400, 'invalid_parameters', () => receive(id, { [lines[0]!]: 1 }, allow));
    assert.deepEqual(issuesIn(details), { '/lineItems/0/quantity': 'out_of_range' });
    const other = await ordered([2], ['open', 'confirm'], {});
    assert.equal((await receive(other.id, { [other.lines[0]!]: 1 })).status, 200);
  });

  it('409 archived, naming the line, for a location that takes no new stock', async () => {
    const { id, lines, warehouse, variant } = await ordered([10, 10]);
    const bin = await makeLocation(request, warehouse.id);
    await make(request, `/warehouses/${warehouse.id}/locations/${bin.id}`, { archived: true });
    const details = await refused(409, 'archived', () =>
      receive(id, { [lines[0]!]: 1, [lines[1]!]: { quantity: 1, warehouseLocationId: bin.id } }),
    );
    assert.deepEqual(issuesIn(details), { '/lineItems/1/quantity': 'archived' });
    assert.deepEqual(await figures(warehouse, variant), [0, 0, 0, 0, 10]);
  });

  it('404 for an order that is unknown or of another organization, alike', async () => {
    const { id, lines } = await ordered([10]);
    const stranger = await test.makeOrganization();
    const theirs = purchasingOf(() => ({ ...test, request: stranger.request }));
    const foreign = await theirs.receive(id, { [lines[0]!]: 1 });
    const unknown = await theirs.receive(newId(), { [lines[0]!]: 1 });
    assert.deepEqual([foreign.status, unknown.status], [404, 404]);
    assert.equal(foreign.body.error.message, unknown.body.error.message);
  });
});
