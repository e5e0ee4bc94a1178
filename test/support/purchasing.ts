// What tests of purchasing begin with: suppliers, purchase orders moved on to a state, receipts, refusals.
import assert from 'node:assert/strict';
import type { Answer, Request, TestApp } from './app.ts';
import { levelOf, make, makeVariant, makeWarehouse, unique } from './factories.ts';
import { rowsOf } from './rows.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;
type Fields = Record<string, unknown>;

export const makeSupplier = (request: Request, fields: Fields = {}): Promise<Json> =>
  make(request, '/suppliers', { name: unique('Supplier '), ...fields });

/** The body of an order for a supplier, a warehouse and a variant of its own. */
export async function purchaseOrderBody(request: Request) {
  const { id: supplierId } = await makeSupplier(request);
  const { id: warehouseId } = await makeWarehouse(request);
  const { id: productVariantId } = await makeVariant(request);
  const lineItems = [{ productVariantId, requestedQuantity: 10, unitPrice: 2.5 }];
  return { supplierId, warehouseId, lineItems };
}

/** Does one action after the other to an order, and returns what it is then. */
export async function moveOn(request: Request, order: Json, ...actions: string[]): Promise<Json> {
  let moved = order;
  for (const action of actions) moved = await make(request, `/purchase-orders/${order.id}/${action}`);
  return moved;
}

/** An order of variants of its own, of so many units each, moved on by the named actions. */
async function makeOrdered(request: Request, quantities: number[], actions: string[], fields: Fields) {
  const supplier = await makeSupplier(request);
  const warehouse = await makeWarehouse(request);
  const variants = await Promise.all(quantities.map(() => makeVariant(request)));
  const lineItems = quantities.map((requestedQuantity, n) => ({
    productVariantId: variants[n].id,
    requestedQuantity,
    unitPrice: 2.5,
  }));
  const body = { supplierId: supplier.id, warehouseId: warehouse.id, lineItems, ...fields };
  const draft = await make(request, '/purchase-orders', body);
  const order = await moveOn(request, draft, ...actions);
  const lines: string[] = order.lineItems.map(({ id }: Json) => id);
  return { supplier, warehouse, variants, variant: variants[0], order, id: order.id as string, lines };
}

export function purchasingOf(test: () => TestApp) {
  const request: Request = (...sent) => test().request(...sent);
  const get = async (id: string): Promise<Json> => (await request('GET', `/purchase-orders/${id}`)).body.data;

  return {
    request,
    get,
    ordered: (quantities: number[], actions = ['open', 'confirm'], fields: Fields = {}) =>
      makeOrdered(request, quantities, actions, fields),

    /** Sends a receipt; a line is an id with a number of units, or with more fields. */
    receive: (
      id: string,
      lines: Record<string, number | Fields>,
      more: Fields = {},
      headers?: Record<string, string>,
    ): Promise<Answer> => {
      const lineItems = Object.entries(lines).map(([lineItemId, what]) =>
        typeof what === 'number' ? { lineItemId, quantity: what } : { lineItemId, ...what },
      );
      return request('POST', `/purchase-orders/${id}/receipts`, { lineItems, ...more }, headers);
    },

    /** The ids of a warehouse's locations, by name. */
    async locations(warehouseId: string): Promise<Record<string, string>> {
      const { data } = (await request('GET', `/warehouses/${warehouseId}/locations?limit=100`)).body;
      return Object.fromEntries(data.map(({ name, id }: Json) => [name, id]));
    },

    /** On hand, available, damaged, quality control and incoming of a variant in a warehouse. */
    async figures(warehouse: Json, variant: Json): Promise<number[]> {
      const level = await levelOf(request, warehouse.id, variant);
      if (level === undefined) return [0, 0, 0, 0, 0];
      const { onHandQuantity, availableQuantity, damagedQuantity, qualityControlQuantity } = level;
      return [
        onHandQuantity,
        availableQuantity,
        damagedQuantity,
        qualityControlQuantity,
        level.incomingQuantity,
      ];
    },

    /** Every balance is what ledger and histories say. */
    async consistent() {
      assert.deepEqual((await request('GET', '/inventory/verify')).body.data.differences, []);
    },

    /** Sends what must be refused with this status and write nothing; returns the error's details. */
    async refused(status: number, code: string, send: () => Promise<Answer>): Promise<Json> {
      const stored = async () => {
        // A number that was taken for a name is not given back.
        const { name_counters: _, ...rows } = await rowsOf(test().database, test().organizationId);
        return rows;
      };
      const present = await stored();
      const answer = await send();
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.body.error.details.code, code);
      assert.deepEqual(await stored(), present, 'something was written');
      return answer.body.error.details;
    },
  };
}

/** path -> code of everything that an error names. */
export function issuesIn(details: Json): Record<string, string> {
  return Object.fromEntries(details.issues.map(({ path, code }: Json) => [path, code]));
}
