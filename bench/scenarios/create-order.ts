// Creates orders of a few sizes, which take their stock at once.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Catalogue } from '../catalogue.ts';
import { pickPopular, postRequest, type Request, randoms, type Scenario } from '../scenario.ts';

export const shipToAddress = {
  name: 'Ada Byron',
  street1: '12 Analytical Row',
  city: 'Springfield',
  state: 'OR',
  postalCode: '97477',
  country: 'US',
  phone: '+1 555 0100',
  email: 'ada@example.com',
  isResidential: true,
};

function orderOf(lines: number, n: number, catalogue: Catalogue): Request {
  const random = randoms(n);
  const skus = new Set<string>();
  while (skus.size < lines) skus.add(pickPopular(catalogue.skus, random));
  const lineItems = [...skus].map((productVariantSku) => ({
    productVariantSku,
    quantity: 1 + Math.floor(3 * random()),
    price: 19.9,
  }));
  return postRequest('/orders', {
    name: 'SO-',
    alias: `shop-${n}`,
    price: 119.4,
    currency: 'usd',
    financialStatus: 'paid',
    fulfillmentStatus: 'open',
    orderDate: new Date().toISOString(),
    customerId: pickPopular(catalogue.customerIds, random),
    shipToAddress,
    tags: ['web'],
    lineItems,
  });
}

const floor =
  'Takes the name; finds the variants; locks the levels; writes order, lines, levels, allocations and their ' +
  'history; reads the order back; writes the event.';

function creating(lines: number, name: string, title: string): Scenario {
  return {
    name,
    title,
    floor,
    anywhere: true,
    request: (n, catalogue) => orderOf(lines, n, catalogue),
    check({ object, data }) {
      assert.equal(object, 'order');
      assert.equal(data.lineItems.length, lines);
      assert.equal(data.readyToShip, true, 'an order of stock that is there is ready to ship');
    },
  };
}

const threeLines = creating(3, 'create-order', 'Create an order, 3 lines, stock allocated');

export const orderScenarios: readonly Scenario[] = [
  threeLines,
  {
    ...threeLines,
    name: 'create-order-idempotent',
    title: 'The same with an Idempotency-Key',
    floor: `${floor} Claims the key, and stores the answer under it.`,
    request: (n, catalogue) => {
      const plain = threeLines.request(n, catalogue);
      return { ...plain, headers: { ...plain.headers, 'idempotency-key': randomUUID() } };
    },
  },
  creating(1, 'create-order-1', 'Create an order, 1 line'),
  creating(50, 'create-order-50', 'Create an order, 50 lines'),
];
