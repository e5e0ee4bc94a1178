// What tests of return orders begin with: places for units that come back, returns of whole orders, refusals.
import assert from 'node:assert/strict';
import type { Answer, TestApp } from './app.ts';
import { levelOf, make, makeLocation, makeOrder, makeWarehouse } from './factories.ts';
import { rowsOf } from './rows.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

export function returnsOf(test: () => TestApp) {
  const request = (...sent: Parameters<TestApp['request']>) => test().request(...sent);
  return {
    receive: (id: string, lineItems: unknown[], more: object = {}, headers?: Record<string, string>) =>
      request('POST', `/return-orders/${id}/receive`, { lineItems, ...more }, headers),

    /** A warehouse with a location of each kind that a return may go to. */
    async warehouse() {
      const { id } = await makeWarehouse(request);
      const { body } = await request('GET', `/warehouses/${id}/locations?limit=100`);
      const ofType = (type: string): string => body.data.find((location: Json) => location.type === type).id;
      return {
        id: id as string,
        bin: (await makeLocation(request, id)).id as string,
        returns: (await makeLocation(request, id, { type: 'returns' })).id as string,
        damaged: ofType('damaged'),
        qc: ofType('quality-control'),
      };
    },

    /** A return of all units of an order's lines. */
    async returned(lines: [string, number][]) {
      const order = await makeOrder(request, {}, lines);
      const lineItems = order.lineItems.map(({ id, quantity }: Json) => ({ lineItemId: id, quantity }));
      const returnOrder = await make(request, '/return-orders', { orderId: order.id, lineItems });
      return { order, returnOrder, lines: returnOrder.lineItems };
    },

    blind: (lineItems: object[] = []): Promise<Json> => make(request, '/return-orders', { lineItems }),

    /** On hand, available, reserved, damaged and quality control of a variant in a warehouse. */
    async figures(warehouseId: string, variant: Json): Promise<number[] | undefined> {
      const level = await levelOf(request, warehouseId, variant);
      if (level === undefined) return undefined;
      const { onHandQuantity, availableQuantity, reservedQuantity } = level;
      const { damagedQuantity, qualityControlQuantity } = level;
      return [onHandQuantity, availableQuantity, reservedQuantity, damagedQuantity, qualityControlQuantity];
    },

    /** Sends what must be refused with this status and write nothing; returns the error's details. */
    async refused(status: number, send: () => Promise<Answer>): Promise<Json> {
      const stored = () => rowsOf(test().database, test().organizationId);
      const present = await stored();
      const answer = await send();
      assert.equal(answer.status, status, answer.text);
      assert.deepEqual(await stored(), present, 'something was written');
      return answer.body.error.details;
    },
  };
}
