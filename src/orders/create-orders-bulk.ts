// Creates up to a thousand orders in one request: each for itself, or all of them or none.
import { Levels, lockVariantLevels } from '../allocation/levels.ts';
import { ApiError, type Issue, invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Batch } from '../http/batch.ts';
import type { Found, Reply } from '../http/envelope.ts';
import { validator } from '../http/validate.ts';
import type { Sent } from '../http/write.ts';
import * as limits from '../limits.ts';
import { findLineVariants } from '../products/variant-lookup.ts';
import { createOrder, type OrderNames, takeOrderNames } from './create-order.ts';
import { isHistory, requirementsOf } from './new-order.ts';
import { CreateOrderBody } from './schema.ts';
import type { CreateOrdersBulkBody } from './schema-bulk.ts';
import { takesStock } from './states.ts';

const issuesOf = validator(CreateOrderBody, 'body');

/** @throws with `atomic`, what POST /orders throws for the first order that fails, its paths within `/orders/<n>` */
export function createOrdersBulk(batch: Batch, { orders, atomic }: CreateOrdersBulkBody): Promise<Sent> {
  return atomic ? createAll(batch, orders) : createEach(batch, orders);
}

function createEach(batch: Batch, orders: readonly CreateOrderBody[]): Promise<Sent> {
  return batch.parts({
    count: orders.length,
    atOnce: limits.bulkOrdersAtOnce,
    part: async (index, write) => {
      const order = orders[index]!;
      const issues = issuesOf(order);
      if (issues.length > 0) throw invalid(issues);
      const { body } = await write({
        prepare: () => takeOrderNames(batch.database, batch.scope.organizationId, order),
        answer: async (own, names) => ({ body: summaryOf(await createOrder(own, order, names)) }),
      });
      return body;
    },
    answer: replyOf,
  });
}

function createAll(batch: Batch, orders: readonly CreateOrderBody[]): Promise<Sent> {
  const issues = orders.flatMap((order, index) => withinOrder(index, issuesOf(order)));
  if (issues.length > 0) throw invalid(issues.slice(0, limits.issuesMax));
  return batch.whole({
    prepare: async () => {
      const names: OrderNames[] = [];
      for (const order of orders) {
        names.push(await takeOrderNames(batch.database, batch.scope.organizationId, order));
      }
      return names;
    },
    answer: async (write, names) => {
      await lockStock(write, orders);
      const created: string[] = [];
      for (const [index, order] of orders.entries()) {
        created.push(summaryOf(await createAt(index, write, order, names[index]!)));
      }
      return replyOf(created);
    },
  });
}

/** All levels at once, in the order in which everybody locks them: order by order they would come crosswise. */
async function lockStock(write: Write, orders: readonly CreateOrderBody[]): Promise<void> {
  const lines = orders
    .filter((order) => takesStock(order) && !isHistory(order.fulfillmentStatus))
    .flatMap((order) => order.lineItems);
  const matches = await findLineVariants(write.transaction, write.scope.organizationId, lines);
  const variantIds = matches.flatMap((match) =>
    match.status === 'found'
      ? requirementsOf(match.variant).map(({ productVariantId }) => productVariantId)
      : [],
  );
  await lockVariantLevels(write, new Levels(), [...new Set(variantIds)]);
}

async function createAt(
  index: number,
  write: Write,
  order: CreateOrderBody,
  names: OrderNames,
): Promise<Found> {
  try {
    return await createOrder(write, order, names);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, issues = [{ path: '', code, message }], details } = error;
    throw Object.assign(error, { issues: withinOrder(index, issues), details: { ...details, index } });
  }
}

function withinOrder(index: number, issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => ({ ...issue, path: `/orders/${index}${issue.path}` }));
}

/** What the answer says of an order; whole orders would make it hundreds of megabytes. */
function summaryOf({ json }: Found): string {
  const { id, name, alias, readyToShip } = JSON.parse(json);
  return JSON.stringify({ id, name, alias, readyToShip });
}

function replyOf(results: readonly (string | ApiError)[]): Reply {
  const created = results.filter((result) => !(result instanceof ApiError)).length;
  const message = `Successfully created ${created} of ${results.length} orders`;
  const success = created === results.length;
  const rows = results.map(rowOf).join(',');
  return { body: `{"object":"order-bulk","success":${success},"message":"${message}","data":[${rows}]}` };
}

function rowOf(result: string | ApiError, index: number): string {
  if (!(result instanceof ApiError)) return `{"index":${index},"success":true,"data":${result}}`;
  const { code, message, issues, details } = result;
  const error = { code, message, ...details, ...(issues === undefined ? {} : { issues }) };
  return JSON.stringify({ index, success: false, error });
}
