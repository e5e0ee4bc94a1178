// One valid request for every operation on return orders.
import type { Request } from './app.ts';
import { make, makePlace } from './factories.ts';
import { nothing, orderOf, type SampleMaker } from './sample.ts';

async function returnOf(request: Request) {
  const { order, line } = await orderOf(request);
  await make(request, `/orders/${order.id}/fulfillments`, {});
  return { orderId: order.id, lineItems: [{ lineItemId: line.id, quantity: 1 }] };
}

const returnOrder = async (request: Request) => make(request, '/return-orders', await returnOf(request));

export const returnSamples: Record<string, SampleMaker> = {
  listReturnOrders: nothing,
  createReturnOrder: async (request) => ({ body: await returnOf(request) }),
  getReturnOrder: async (request) => ({ ids: { returnOrderId: (await returnOrder(request)).id } }),
  receiveReturnOrder: async (request) => {
    const { id, lineItems } = await returnOrder(request);
    const { warehouseLocationId } = await makePlace(request);
    const line = { lineItemId: lineItems[0].id, quantity: 1, disposition: 'restock', warehouseLocationId };
    return { ids: { returnOrderId: id }, body: { lineItems: [line] } };
  },
  cancelReturnOrder: async (request) => ({ ids: { returnOrderId: (await returnOrder(request)).id } }),
  closeReturnOrder: async (request) => ({ ids: { returnOrderId: (await returnOrder(request)).id } }),
};
