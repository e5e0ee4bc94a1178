// Creates an order with three lines, which takes its stock at once.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Catalogue, pickPopular, type Request, randoms, type Scenario } from '../scenario.ts';

const lines = 3;

function request(n: number, catalogue: Catalogue): Request {
  const random = randoms(n);
  const skus = new Set<string>();
  while (skus.size < lines) skus.add(pickPopular(catalogue.skus, random));
  const lineItems = [...skus].map((productVariantSku) => ({
    productVariantSku,
    quantity: 1 + Math.floor(3 * random()),
    price: 19.9,
  }));
  const order = {
    name: 'SO-',
    alias: `shop-${n}`,
    price: 119.4,
    currency: 'usd',
    financialStatus: 'paid',
    fulfillmentStatus: 'open',
    orderDate: new Date().toISOString(),
    customerId: pickPopular(catalogue.customerIds, random),
    shipToAddress: {
      name: 'Ada Byron',
      street1: '12 Analytical Row',
      city: 'Springfield',
      state: 'OR',
      postalCode: '97477',
      country: 'US',
      phone: '+1 555 0100',
      email: 'ada@example.com',
      isResidential: true,
    },
    tags: ['web'],
    lineItems,
  };
  return {
    method: 'POST',
    path: '/orders',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: an answer's JSON
function check({ object, data }: any): void {
  assert.equal(object, 'order');
  assert.equal(data.lineItems.length, lines);
  assert.equal(data.readyToShip, true, 'an order of stock that is there is ready to ship');
}

const floor =
  'Takes the name; finds the variants; locks the levels; writes order, lines, levels, allocations and their ' +
  'history; reads the order back; writes the event.';

export const createOrder: Scenario = {
  name: 'create-order',
  title: 'Create an order, 3 lines, stock allocated',
  floor,
  request,
  check,
};

export const createOrderOnce: Scenario = {
  name: 'create-order-idempotent',
  title: 'The same with an Idempotency-Key',
  floor: `${floor} Claims the key, and stores the answer under it.`,
  request: (n, catalogue) => {
    const plain = request(n, catalogue);
    return { ...plain, headers: { ...plain.headers, 'idempotency-key': randomUUID() } };
  },
  check,
};
