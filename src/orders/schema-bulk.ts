// Many orders in one request, on the wire.
import { defaulted, Id, nullable, object, type Static, Type } from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { CreateOrderBody } from './schema.ts';

export const CreateOrdersBulkBody = object({
  orders: Type.Array(CreateOrderBody, { minItems: 1, maxItems: limits.bulkOrdersMax }),
  atomic: defaulted(
    Type.Boolean({
      default: false,
      description: 'All or nothing; `false` creates what can be created and answers a result for each',
    }),
  ),
});
export type CreateOrdersBulkBody = Static<typeof CreateOrdersBulkBody>;

export const OrderBulk = object({
  object: Type.Literal('order-bulk'),
  success: Type.Boolean({ description: 'Whether every order was created' }),
  message: Type.String({ examples: ['Successfully created 3 of 3 orders'] }),
  data: Type.Array(
    object({
      index: Type.Integer({ description: 'Place in `orders`, from 0' }),
      success: Type.Boolean(),
      data: Type.Optional(
        object(
          {
            id: Id,
            name: Type.String(),
            alias: nullable(Type.String()),
            readyToShip: Type.Boolean({ description: 'Every line wholly allocated' }),
          },
          { description: 'The order that was created; `GET /orders/{orderId}` has the rest' },
        ),
      ),
      error: Type.Optional(
        Type.Object(
          { code: Type.String(), message: Type.String() },
          { additionalProperties: true, description: 'As POST /orders would have answered it' },
        ),
      ),
    }),
  ),
});
