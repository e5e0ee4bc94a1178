// The endpoints of what can be done with an order after it was created.
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { single } from '../http/envelope.ts';
import { NoBody, single as singleOf } from '../http/schemas.ts';
import { explainAllocations, findAllocations } from './allocation-queries.ts';
import { archiveOrder } from './archive-order.ts';
import { cancelFulfillment } from './cancel-fulfillment.ts';
import { cancelOrder } from './cancel-order.ts';
import { createFulfillment } from './create-fulfillment.ts';
import { holdOrder } from './hold-order.ts';
import { releaseOrder } from './release-order.ts';
import { restoreOrder } from './restore-order.ts';
import { Order } from './schema.ts';
import {
  CancelOrderBody,
  CreateFulfillmentBody,
  Fulfillment,
  HoldOrderBody,
  OrderAllocations,
  OrderAllocationsQuery,
  UpdateOrderBody,
} from './schema-actions.ts';
import { updateOrder } from './update-order.ts';

const permission = 'orders:write';
const ids = { orderId: 'order' };
const response = singleOf('order', Order);

export function orderActionRoutes(api: Api): void {
  api.post(
    '/orders/{orderId}',
    {
      operationId: 'updateOrder',
      permission,
      summary: 'Update an order',
      description:
        'Changes what the body names. Stock follows: larger quantities take more, smaller ones give back, ' +
        '`voided` and `expired` give all of it back, another pin takes it elsewhere.',
      ids,
      body: UpdateOrderBody,
      response,
      errors: ['invalid_transition', 'quantity_exceeded'],
    },
    async (write) => single('order', await updateOrder(write, write.ids['orderId']!, write.body)),
  );
  api.post(
    '/orders/{orderId}/cancel',
    {
      operationId: 'cancelOrder',
      permission,
      summary: 'Cancel an order, or what has not left of it',
      ids,
      body: CancelOrderBody,
      bodyOptional: true,
      response,
      errors: ['invalid_transition'],
    },
    async (write) => single('order', await cancelOrder(write, write.ids['orderId']!, write.body)),
  );
  api.post(
    '/orders/{orderId}/hold',
    {
      operationId: 'holdOrder',
      permission,
      summary: 'Put an order on hold',
      description: 'The order keeps the stock it has and takes no more until it is released.',
      ids,
      body: HoldOrderBody,
      bodyOptional: true,
      response,
      errors: ['invalid_transition'],
    },
    async (write) => single('order', await holdOrder(write, write.ids['orderId']!, write.body)),
  );
  api.post(
    '/orders/{orderId}/release',
    {
      operationId: 'releaseOrder',
      permission,
      summary: 'Release an order from its hold',
      description: 'The status before the hold comes back, and missing stock is taken.',
      ids,
      body: NoBody,
      bodyOptional: true,
      response,
      errors: ['invalid_transition'],
    },
    async (write) => single('order', await releaseOrder(write, write.ids['orderId']!)),
  );
  api.post(
    '/orders/{orderId}/archive',
    {
      operationId: 'archiveOrder',
      permission,
      summary: 'Archive an order',
      ids,
      body: NoBody,
      bodyOptional: true,
      response,
    },
    async (write) => single('order', await archiveOrder(write, write.ids['orderId']!)),
  );
  api.post(
    '/orders/{orderId}/restore',
    {
      operationId: 'restoreOrder',
      permission,
      summary: 'Restore an archived order',
      ids,
      body: NoBody,
      bodyOptional: true,
      response,
    },
    async (write) => single('order', await restoreOrder(write, write.ids['orderId']!)),
  );
  fulfillmentRoutes(api);
}

function fulfillmentRoutes(api: Api): void {
  api.get(
    '/orders/{orderId}/allocations',
    {
      operationId: 'getOrderAllocations',
      permission: 'orders:read',
      summary: 'Which stock an order holds, and where to pick it',
      description: '`explain=true` adds, for every warehouse, why its stock was or was not taken.',
      ids,
      query: OrderAllocationsQuery,
      response: OrderAllocations,
    },
    async ({ database, scope, query, ids: { orderId } }) => {
      const data = await findAllocations(database, scope.organizationId, orderId!);
      if (data === undefined) throw notFound('order');
      if (query.explain !== true) return { body: `{"object":"order-allocations","data":${data}}` };
      const explanation = await explainAllocations(database, scope.organizationId, orderId!);
      return { body: `{"object":"order-allocations","data":${data},"explanation":${explanation}}` };
    },
  );
  api.post(
    '/orders/{orderId}/fulfillments',
    {
      operationId: 'createFulfillment',
      permission,
      summary: 'Fulfil an order without a label',
      description:
        'Takes what is allocated. Lines that are not shipped are fulfilled with the last line that is.',
      ids,
      body: CreateFulfillmentBody,
      bodyOptional: true,
      response: singleOf('fulfillment', Fulfillment),
      errors: ['invalid_transition', 'quantity_exceeded', 'insufficient_stock'],
    },
    async (write) => single('fulfillment', await createFulfillment(write, write.ids['orderId']!, write.body)),
  );
  api.post(
    '/orders/{orderId}/fulfillments/{fulfillmentId}/cancel',
    {
      operationId: 'cancelFulfillment',
      permission,
      summary: 'Cancel a fulfilment: its stock and allocation come back',
      ids: { ...ids, fulfillmentId: 'fulfillment' },
      body: NoBody,
      bodyOptional: true,
      response: singleOf('fulfillment', Fulfillment),
      errors: ['invalid_transition'],
    },
    async (write) => {
      const { orderId, fulfillmentId } = write.ids;
      return single('fulfillment', await cancelFulfillment(write, orderId!, fulfillmentId!));
    },
  );
}
