// Lists the twenty latest orders, with their lines and an exact count of all.
import assert from 'node:assert/strict';
import type { Scenario } from '../scenario.ts';

const limit = 20;

export const listOrders: Scenario = {
  name: 'list-orders',
  title: `List ${limit} orders, 3 lines each`,
  floor: 'Reads the page as JSON; counts the orders.',
  request: () => ({ method: 'GET', path: `/orders?limit=${limit}` }),
  check({ object, data, totalCount }) {
    assert.equal(object, 'list');
    assert.equal(data.length, limit);
    assert.ok(totalCount >= limit);
    // biome-ignore lint/suspicious/noExplicitAny: an answer's JSON
    assert.ok(data.every((order: any) => order.lineItems.length === 3));
  },
};
