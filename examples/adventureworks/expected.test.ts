// What is expected of a purchase order, from what the tables say of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Big from 'big.js';
import { deliveriesOf, endingOf, expectedProducts, taxRateOf } from './expected.ts';
import type { Order, OrderStatus } from './read-works.ts';

type Line = [ordered: number, received: number, rejected?: number, dueDay?: string];

function order(status: OrderStatus, lines: Line[]): Order {
  return {
    id: '1',
    vendorId: 'v',
    status,
    shipMethod: 'truck',
    orderDate: '2022-01-01',
    shipDate: '2022-01-02',
    subtotal: new Big('201.04'),
    tax: new Big('16.0832'),
    freight: new Big(0),
    total: new Big('217.1232'),
    lines: lines.map(([ordered, received, rejected = 0, dueDay = '2022-01-09'], n) => ({
      sku: `P${n}`,
      dueDay,
      ordered,
      unitPrice: '1',
      lineTotal: new Big(ordered),
      received,
      rejected,
      stocked: received - rejected,
    })),
  };
}

test('an order ends by what came of it, and by whether more is still to come', () => {
  const ending = (status: OrderStatus, lines: Line[]) => endingOf(order(status, lines));
  for (const status of ['pending', 'approved', 'rejected', 'complete'] as const) {
    assert.equal(
      ending(status, [
        [3, 3],
        [4, 5],
      ]),
      'received',
      status,
    );
  }
  assert.equal(
    ending('complete', [
      [3, 3],
      [4, 1],
    ]),
    'closed',
  );
  assert.equal(
    ending('rejected', [
      [3, 3],
      [4, 0],
    ]),
    'closed',
  );
  assert.equal(
    ending('approved', [
      [3, 3],
      [4, 1],
    ]),
    'partially-received',
  );
  assert.equal(ending('pending', [[3, 0]]), 'confirmed');
  assert.equal(ending('complete', [[3, 0]]), 'cancelled');
});

test('what is due on one day is one delivery, the days in order; a line of which nothing came is in none', () => {
  const lines: Line[] = [
    [1, 1, 0, '2022-02-02'],
    [1, 1, 0, '2022-01-01'],
    [1, 0, 0, '2022-01-01'],
    [1, 1, 0, '2022-02-02'],
  ];
  assert.deepEqual(deliveriesOf(order('complete', lines)), [[1], [0, 3]]);
});

test('the rate is what makes the tax of the subtotal', () => {
  assert.equal(taxRateOf(order('complete', [[1, 1]])), 0.08);
});

test('what arrives is on hand; rejected units are damaged; what is missing is incoming while the order is open', () => {
  const product = {
    id: '1',
    sku: 'P0',
    name: 'P',
    price: '1',
    cost: '1',
    weight: null,
    weightUnit: null,
    color: '',
  };
  const figures = (status: OrderStatus) =>
    expectedProducts({
      digest: '',
      vendors: [],
      products: [product],
      bins: [
        { sku: 'P0', bin: '1-A-1', quantity: 7 },
        { sku: 'P0', bin: '1-A-2', quantity: 0 },
      ],
      offers: [],
      orders: [order(status, [[10, 6, 2]])],
    }).get('P0');
  assert.deepEqual(figures('approved'), {
    ordered: 10,
    received: 6,
    damaged: 2,
    incoming: 4,
    onHand: 13,
    available: 11,
    bins: new Map([
      ['1-A-1', 7],
      ['RECEIVING', 4],
      ['DAMAGED', 2],
    ]),
  });
  assert.equal(figures('complete')?.incoming, 0);
});
