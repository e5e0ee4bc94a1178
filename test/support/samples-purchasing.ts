// One valid request for every operation on suppliers and purchase orders.
import type { Request } from './app.ts';
import { make, makeVariant, unique } from './factories.ts';
import { makeSupplier, moveOn, purchaseOrderBody } from './purchasing.ts';
import { nothing, type SampleMaker } from './sample.ts';

async function supplierProduct(request: Request) {
  const { id: supplierId } = await makeSupplier(request);
  const { id: productVariantId } = await makeVariant(request);
  const product = await make(request, `/suppliers/${supplierId}/products`, { productVariantId });
  return { supplierId, supplierProductId: product.id };
}

/** A purchase order, moved on by the named actions. */
async function purchaseOrder(request: Request, ...actions: string[]) {
  const order = await make(request, '/purchase-orders', await purchaseOrderBody(request));
  return moveOn(request, order, ...actions);
}

const idsAfter =
  (...actions: string[]): SampleMaker =>
  async (request) => ({ ids: { purchaseOrderId: (await purchaseOrder(request, ...actions)).id } });

const receiptOf = ({ lineItems }: { lineItems: { id: string }[] }, quantity = 4) => ({
  lineItems: [{ lineItemId: lineItems[0]!.id, quantity }],
});

export const purchasingSamples: Record<string, SampleMaker> = {
  listSuppliers: nothing,
  createSupplier: async () => ({ body: { name: unique('Potters ') } }),
  getSupplier: async (request) => ({ ids: { supplierId: (await makeSupplier(request)).id } }),
  updateSupplier: async (request) => ({
    ids: { supplierId: (await makeSupplier(request)).id },
    body: { phone: '+1 555 0100' },
  }),
  listSupplierProducts: async (request) => {
    const { supplierId } = await supplierProduct(request);
    return { ids: { supplierId } };
  },
  createSupplierProduct: async (request) => ({
    ids: { supplierId: (await makeSupplier(request)).id },
    body: { productVariantId: (await makeVariant(request)).id, price: 4.2 },
  }),
  getSupplierProduct: async (request) => ({ ids: await supplierProduct(request) }),
  updateSupplierProduct: async (request) => ({ ids: await supplierProduct(request), body: { price: 4.5 } }),

  listPurchaseOrders: nothing,
  createPurchaseOrder: async (request) => ({ body: await purchaseOrderBody(request) }),
  getPurchaseOrder: idsAfter(),
  updatePurchaseOrder: async (request) => ({
    ...(await idsAfter()(request)),
    body: { paymentTerms: 'net 30' },
  }),
  submitPurchaseOrder: idsAfter(),
  confirmPurchaseOrder: idsAfter('open'),
  cancelPurchaseOrder: idsAfter('open', 'confirm'),
  closePurchaseOrder: async (request) => {
    const order = await purchaseOrder(request, 'open', 'confirm');
    await make(request, `/purchase-orders/${order.id}/receipts`, receiptOf(order));
    return { ids: { purchaseOrderId: order.id } };
  },
  archivePurchaseOrder: idsAfter('cancel'),
  restorePurchaseOrder: idsAfter('cancel', 'archive'),
  createReceipt: async (request) => {
    const order = await purchaseOrder(request, 'open', 'confirm');
    return { ids: { purchaseOrderId: order.id }, body: receiptOf(order) };
  },
};
