// The endpoints of purchase orders.
import { findFamily } from '../database/children.ts';
import type { ErrorCode } from '../errors.ts';
import { notFound } from '../errors.ts';
import type { Api, Write } from '../http/api.ts';
import { type Found, list, single } from '../http/envelope.ts';
import { listOf, NoBody, single as singleOf } from '../http/schemas.ts';
import { archivePurchaseOrder } from './archive-purchase-order.ts';
import { cancelPurchaseOrder } from './cancel-purchase-order.ts';
import { closePurchaseOrder } from './close-purchase-order.ts';
import { confirmPurchaseOrder } from './confirm-purchase-order.ts';
import { createPurchaseOrder, takePurchaseOrderName } from './create-purchase-order.ts';
import { createReceipt } from './create-receipt.ts';
import { findPurchaseOrder, listPurchaseOrders } from './queries.ts';
import { restorePurchaseOrder } from './restore-purchase-order.ts';
import {
  CreatePurchaseOrderBody,
  ListPurchaseOrdersQuery,
  PurchaseOrder,
  PurchaseOrderSummary,
  UpdatePurchaseOrderBody,
} from './schema.ts';
import { CreateReceiptBody, Receipt } from './schema-receipts.ts';
import { submitPurchaseOrder } from './submit-purchase-order.ts';
import { updatePurchaseOrder } from './update-purchase-order.ts';

const ids = { purchaseOrderId: 'purchase order' };
const response = singleOf('purchase-order', PurchaseOrder);

export function purchaseOrderRoutes(api: Api): void {
  api.get(
    '/purchase-orders',
    {
      operationId: 'listPurchaseOrders',
      permission: 'purchase-orders:read',
      summary: 'List purchase orders',
      description:
        "`search` matches name, supplier name, tracking number, reference number, and the lines' sku, title, " +
        'barcode and product name as they were when the lines were written. `from` and `to` are days of creation. ' +
        '`childOrders` adds those of client organizations.',
      query: ListPurchaseOrdersQuery,
      response: listOf(PurchaseOrderSummary),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) => {
      const own = scope.organizationId;
      const organizations = query.childOrders ? await findFamily(database, own) : own;
      return list(await listPurchaseOrders(database, organizations, query));
    },
  );
  api.post(
    '/purchase-orders',
    {
      operationId: 'createPurchaseOrder',
      permission: 'purchase-orders:write',
      summary: 'Create a purchase order, as a draft',
      description:
        '`name` is a prefix: `PO-` gives `PO-1001`. `currency` is the supplier’s when left out. A line refers to what ' +
        'the supplier sells the variant as, where there is an entry for it. Nothing is incoming before it is confirmed.',
      body: CreatePurchaseOrderBody,
      prepare: ({ database, scope }, body) => takePurchaseOrderName(database, scope.organizationId, body),
      response,
      errors: ['unknown_variant', 'ambiguous_variant', 'variant_archived'],
    },
    async (write) => single('purchase-order', await createPurchaseOrder(write, write.body, write.prepared)),
  );
  api.get(
    '/purchase-orders/{purchaseOrderId}',
    {
      operationId: 'getPurchaseOrder',
      permission: 'purchase-orders:read',
      summary: 'Get a purchase order',
      ids,
      response,
    },
    async ({ database, scope, ids: { purchaseOrderId } }) => {
      const found = await findPurchaseOrder(database, scope.organizationId, purchaseOrderId!);
      if (found === undefined) throw notFound('purchase order');
      return single('purchase-order', found);
    },
  );
  api.post(
    '/purchase-orders/{purchaseOrderId}',
    {
      operationId: 'updatePurchaseOrder',
      permission: 'purchase-orders:write',
      summary: 'Update a purchase order',
      description:
        'Changes what the body names: all of it while `draft` or `open`; `expectedDate`, `trackingNumber`, ' +
        '`shippingCarrier`, `referenceNumber`, `metadata`, notes and tags until it is received (409 ' +
        '`invalid_transition`). `lineItems` are all the lines that the order has from then on; one with the `id` of ' +
        'a line replaces it. `notes` adds, `removedNoteIds` removes, `tags` replaces.',
      ids,
      body: UpdatePurchaseOrderBody,
      response,
      errors: ['invalid_transition', 'unknown_variant', 'ambiguous_variant', 'variant_archived'],
    },
    async (write) =>
      single('purchase-order', await updatePurchaseOrder(write, write.ids['purchaseOrderId']!, write.body)),
  );
  actionRoutes(api);
  api.post(
    '/purchase-orders/{purchaseOrderId}/receipts',
    {
      operationId: 'createReceipt',
      permission: 'purchase-orders:write',
      summary: 'Receive stock for a purchase order',
      description:
        '`quantity` counts every unit that arrived; damaged and quality-control units go to their locations ' +
        '(default `DAMAGED` and `QC`), the rest to `warehouseLocationId` (default `RECEIVING`). More than is still to ' +
        'come is 409 `over_receipt`, unless `allowOverReceipt`; of a closed order nothing is. A negative quantity is ' +
        'a correction: it takes units back (from the same locations, unless others are named), never more than were ' +
        'received (409 `quantity_exceeded`) or are there (409 `insufficient_stock`), and leads the status back. ' +
        'Stock, ledger, `incomingQuantity` and order change together. What has arrived fills backorders by ' +
        '`orderDate`: up to 100 order lines in the same transaction, so that this answer comes after it; where ' +
        'more wait, the transaction leaves a mark by which a job fills the others, however often it is interrupted.',
      ids,
      body: CreateReceiptBody,
      response: singleOf('receipt', Receipt),
      errors: ['invalid_transition', 'over_receipt', 'quantity_exceeded', 'insufficient_stock', 'archived'],
    },
    async (write) => single('receipt', await createReceipt(write, write.ids['purchaseOrderId']!, write.body)),
  );
}

interface Action {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  errors: ErrorCode[];
  run: (write: Write, id: string) => Promise<Found>;
}

const actions: Action[] = [
  {
    path: 'open',
    operationId: 'submitPurchaseOrder',
    summary: 'Open a draft',
    description: 'It goes to the supplier, and may still be changed.',
    errors: ['invalid_transition'],
    run: submitPurchaseOrder,
  },
  {
    path: 'confirm',
    operationId: 'confirmPurchaseOrder',
    summary: 'Confirm an open order',
    description:
      'The supplier has confirmed it: from then on what is ordered and not received counts as `incomingQuantity`. 409 ' +
      '`archived` when its warehouse takes no stock any more.',
    errors: ['invalid_transition', 'archived'],
    run: confirmPurchaseOrder,
  },
  {
    path: 'cancel',
    operationId: 'cancelPurchaseOrder',
    summary: 'Cancel an order that nothing was received for',
    description:
      'From `draft`, `open` and `confirmed`; its units are no longer incoming. 409 `has_receipts` once anything is ' +
      'received: take it back by a correction, or close the order.',
    errors: ['invalid_transition', 'has_receipts'],
    run: cancelPurchaseOrder,
  },
  {
    path: 'close',
    operationId: 'closePurchaseOrder',
    summary: 'End a part-received order',
    description: 'It becomes `received`, and what is missing is no longer incoming.',
    errors: ['invalid_transition'],
    run: closePurchaseOrder,
  },
  {
    path: 'archive',
    operationId: 'archivePurchaseOrder',
    summary: 'Archive a purchase order',
    description: 'It leaves the lists, and nothing else about it changes. A repeat answers the same.',
    errors: [],
    run: archivePurchaseOrder,
  },
  {
    path: 'restore',
    operationId: 'restorePurchaseOrder',
    summary: 'Restore an archived purchase order',
    description: 'It is in the lists again. A repeat answers the same.',
    errors: [],
    run: restorePurchaseOrder,
  },
];

function actionRoutes(api: Api): void {
  for (const { path, operationId, summary, description, errors, run } of actions) {
    api.post(
      `/purchase-orders/{purchaseOrderId}/${path}`,
      {
        operationId,
        permission: 'purchase-orders:write',
        summary,
        description,
        ids,
        body: NoBody,
        bodyOptional: true,
        response,
        errors,
      },
      async (write) => single('purchase-order', await run(write, write.ids['purchaseOrderId']!)),
    );
  }
}
