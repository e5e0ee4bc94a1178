// The endpoints of return orders.
import { findFamily } from '../database/children.ts';
import { takeName } from '../document-name.ts';
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import { cancelReturnOrder } from './cancel-return-order.ts';
import { closeReturnOrder } from './close-return-order.ts';
import { createReturnOrder } from './create-return-order.ts';
import { findReturnOrder, listReturnOrders } from './queries.ts';
import { receiveReturnOrder } from './receive-return-order.ts';
import {
  CreateReturnOrderBody,
  ListReturnOrdersQuery,
  ReceiveReturnOrderBody,
  ReturnOrder,
} from './schema.ts';

export function returnOrderRoutes(api: Api): void {
  const ids = { returnOrderId: 'return order' };
  api.get(
    '/return-orders',
    {
      operationId: 'listReturnOrders',
      permission: 'orders:read',
      summary: 'List return orders',
      description:
        "`search` matches name, the order's name and line-item sku; `dateRange` applies to `createdAt`.",
      query: ListReturnOrdersQuery,
      response: listOf(ReturnOrder),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) => {
      const own = scope.organizationId;
      const organizations = query.childOrders ? await findFamily(database, own) : own;
      return list(await listReturnOrders(database, organizations, query));
    },
  );
  api.post(
    '/return-orders',
    {
      operationId: 'createReturnOrder',
      permission: 'orders:write',
      summary: 'Open a return order',
      description: [
        "With `orderId`, lines are named by `lineItemId` or by what they say of the variant; units that the order's",
        'lines of that variant share are taken from them in order. A return may be asked for before anything has',
        'left. All returns of a line that are not cancelled together ask for no more than was ordered and not',
        'cancelled: 409 `quantity_exceeded`. Without `orderId` the return is blind: its lines name variants, it may',
        'have none, and what arrives unexpected is taken too. Archived variants come back as others do.',
      ].join(' '),
      body: CreateReturnOrderBody,
      prepare: ({ database, scope }, body) =>
        takeName(database, scope.organizationId, 'return-order', body.name ?? 'RET-'),
      response: singleOf('return-order', ReturnOrder),
      errors: ['unknown_variant', 'ambiguous_variant', 'quantity_exceeded'],
    },
    async (write) => single('return-order', await createReturnOrder(write, write.body, write.prepared)),
  );
  api.get(
    '/return-orders/{returnOrderId}',
    {
      operationId: 'getReturnOrder',
      permission: 'orders:read',
      summary: 'Get a return order',
      ids,
      response: singleOf('return-order', ReturnOrder),
    },
    async ({ database, scope, ids: { returnOrderId } }) => {
      const found = await findReturnOrder(database, scope.organizationId, returnOrderId!);
      if (found === undefined) throw notFound('return order');
      return single('return-order', found);
    },
  );
  api.post(
    '/return-orders/{returnOrderId}/receive',
    {
      operationId: 'receiveReturnOrder',
      permission: 'orders:write',
      summary: 'Receive units of a return order',
      description: [
        'A line may appear several times, with the units of each disposition, and be received in parts; more than',
        'is open is 409 `quantity_exceeded`, and nothing is written. Stock comes in at the location, which must fit',
        'the disposition, and fills backorders like any other, under the lot that the line names. A bundle comes back',
        'as its components, which have lots of their own, so that its line names none; variants that',
        'do not track inventory and discarded units change no stock. For a blind return a line may name a variant',
        'instead: what is not open of its lines is added as a new line. Once every line is complete the return is',
        '`received`; a blind one still takes what arrives later. A cancelled or closed one: 409.',
      ].join(' '),
      ids,
      body: ReceiveReturnOrderBody,
      response: singleOf('return-order', ReturnOrder),
      errors: ['unknown_variant', 'ambiguous_variant', 'quantity_exceeded', 'invalid_transition', 'archived'],
    },
    async (write) =>
      single('return-order', await receiveReturnOrder(write, write.ids['returnOrderId']!, write.body)),
  );
  api.post(
    '/return-orders/{returnOrderId}/cancel',
    {
      operationId: 'cancelReturnOrder',
      permission: 'orders:write',
      summary: 'Cancel a return order',
      description: 'Once anything has come back, and for a second cancel, it is 409 `invalid_transition`.',
      ids,
      response: singleOf('return-order', ReturnOrder),
      errors: ['invalid_transition'],
    },
    async (write) => single('return-order', await cancelReturnOrder(write, write.ids['returnOrderId']!)),
  );
  api.post(
    '/return-orders/{returnOrderId}/close',
    {
      operationId: 'closeReturnOrder',
      permission: 'orders:write',
      summary: 'Close a return order',
      description: [
        'It becomes `closed` and takes nothing more; what has not come back will not come, and may be asked back',
        'anew. A closed or cancelled one: 409 `invalid_transition`.',
      ].join(' '),
      ids,
      response: singleOf('return-order', ReturnOrder),
      errors: ['invalid_transition'],
    },
    async (write) => single('return-order', await closeReturnOrder(write, write.ids['returnOrderId']!)),
  );
}
