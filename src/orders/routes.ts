// The endpoints of sales orders.
import { findFamily } from '../database/children.ts';
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { createOrder, takeOrderNames } from './create-order.ts';
import { createOrdersBulk } from './create-orders-bulk.ts';
import { findOrder, listOrders } from './queries.ts';
import { CreateOrderBody, ListOrdersQuery, Order, OrderSummary } from './schema.ts';
import { CreateOrdersBulkBody, OrderBulk } from './schema-bulk.ts';

export function orderRoutes(api: Api): void {
  api.get(
    '/orders',
    {
      operationId: 'listOrders',
      permission: 'orders:read',
      summary: 'List orders',
      description:
        '`search` matches name, alias, customer details, line-item sku and shipment tracking code. ' +
        'Archived orders are left out unless `includeArchived` is true.',
      query: ListOrdersQuery,
      response: listOf(OrderSummary),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) => {
      const own = scope.organizationId;
      return list(
        await listOrders(database, query.childOrders ? await findFamily(database, own) : own, query),
      );
    },
  );
  api.post(
    '/orders',
    {
      operationId: 'createOrder',
      permission: 'orders:write',
      summary: 'Create an order',
      description:
        'Lines take available stock at once; what is missing is backordered, unless `inventoryBehaviour` is ' +
        '`obey_policy`. Orders created `fulfilled` or `partially-fulfilled` are history and take no stock; ' +
        '`scheduled` and `on-hold` orders take none until they become `open` or `confirmed`.',
      body: CreateOrderBody,
      prepare: ({ database, scope }, body) => takeOrderNames(database, scope.organizationId, body),
      response: singleOf('order', Order),
      errors: [
        'unknown_variant',
        'ambiguous_variant',
        'variant_archived',
        'alias_taken',
        'insufficient_stock',
      ],
    },
    async (write) => single('order', await createOrder(write, write.body, write.prepared)),
  );
  api.batch(
    '/orders/bulk',
    {
      operationId: 'createOrdersBulk',
      permission: 'orders:write',
      summary: 'Create up to 1,000 orders in one request',
      description: [
        'Each order is created by itself, a few at the same time, and `data` says of each, in the order of',
        '`orders`, what became of it; the status is 200 whatever fails. Repeated with its `Idempotency-Key` after',
        'a crash, the request goes on where it stopped and creates no order twice; while the first still runs it',
        'is 409. With `"atomic": true` all are created in one transaction or none is: the answer then is that of',
        'the first order that cannot be, its paths within `/orders/<n>`.',
      ].join(' '),
      body: CreateOrdersBulkBody,
      bodyLimit: limits.bulkBodyBytes,
      uncheckedItems: 'orders',
      response: OrderBulk,
      errors: [
        'unknown_variant',
        'ambiguous_variant',
        'variant_archived',
        'alias_taken',
        'insufficient_stock',
      ],
    },
    createOrdersBulk,
  );
  api.get(
    '/orders/{orderId}',
    {
      operationId: 'getOrder',
      permission: 'orders:read',
      summary: 'Get an order',
      ids: { orderId: 'order' },
      response: singleOf('order', Order),
    },
    async ({ database, scope, ids }) => {
      const found = await findOrder(database, scope.organizationId, ids['orderId']!);
      if (found === undefined) throw notFound('order');
      return single('order', found);
    },
  );
}
