// Plays the tables into the service: what is there first, then every purchase order with its receipts.
import { create } from '../support/records.ts';
import type { Tally } from '../support/tally.ts';
import { type KnownOrder, ordersAlready } from './already.ts';
import { deliveriesOf, endingOf, taxRateOf } from './expected.ts';
import type { Order } from './read-works.ts';
import {
  archiveSuppliers,
  createBins,
  createOffers,
  createProducts,
  createSuppliers,
  ensureWarehouse,
  forEach,
  openStock,
  type Run,
} from './replay-catalogue.ts';

export interface Replayed {
  warehouseId: string;
  bins: Tally;
  vendors: Tally;
  products: Tally;
  offers: Tally;
  stock: Tally;
  orders: Tally;
}

export async function replay(run: Run): Promise<Replayed> {
  const warehouseId = await ensureWarehouse(run);
  const place = await createBins(run, warehouseId);
  const suppliers = await createSuppliers(run);
  const products = await createProducts(run);
  const offers = await createOffers(run, products.variants, suppliers.ids);
  const stock = await openStock(run, place);
  const orders = await playOrders(run, warehouseId, suppliers.ids);
  await archiveSuppliers(run, suppliers.ids);
  return {
    warehouseId,
    bins: place.tally,
    vendors: suppliers.tally,
    products: products.tally,
    offers,
    stock,
    orders,
  };
}

async function playOrders(run: Run, warehouseId: string, supplierIds: ReadonlyMap<string, string>) {
  const known = await ordersAlready(run.client, warehouseId);
  return forEach(run, 'purchase orders', run.works.orders, async (order) => {
    const there = known.get(order.id);
    const found = there ?? (await createOrder(run, order, warehouseId, supplierIds.get(order.vendorId)!));
    await moveOn(run, order, found);
    return there === undefined;
  });
}

function createOrder(run: Run, order: Order, warehouseId: string, supplierId: string): Promise<KnownOrder> {
  const taxRate = taxRateOf(order);
  const { id, status, orderDate, shipDate, freight } = order;
  return create<KnownOrder>(run.client, '/purchase-orders', `order ${id}`, {
    supplierId,
    warehouseId,
    referenceNumber: id,
    shippingCarrier: order.shipMethod,
    expectedDate: `${order.lines.map(({ dueDay }) => dueDay).sort()[0]}T00:00:00Z`,
    // What a purchase order of the service has no field for.
    metadata: { status, orderDate, shipDate, freight: freight.toFixed() },
    lineItems: order.lines.map((line) => ({
      productVariantSku: line.sku,
      requestedQuantity: line.ordered,
      unitPrice: Number(line.unitPrice),
      taxRate,
    })),
  });
}

/** From where the order stands to where the file has it. */
async function moveOn({ client }: Run, order: Order, found: KnownOrder): Promise<void> {
  const path = `/purchase-orders/${found.id}`;
  const act = async (action: string) => {
    await client.post(`${path}/${action}`, `order ${order.id} ${action}`, {});
  };
  const began = ['draft', 'open', 'confirmed'].includes(found.status);
  if (found.status === 'draft') await act('open');
  if (['draft', 'open'].includes(found.status)) await act('confirm');
  for (const [n, places] of deliveriesOf(order).entries()) {
    // An earlier run has received it: whole, as one request does.
    if (places.some((place) => found.lineItems[place]!.receivedQuantity > 0)) continue;
    await client.post(`${path}/receipts`, `order ${order.id} delivery ${n}`, receiptOf(order, found, places));
  }
  const ending = endingOf(order);
  if (ending === 'closed' && (began || found.status === 'partially-received')) await act('close');
  if (ending === 'cancelled' && began) await act('cancel');
}

/** Rejected units came, and are damaged. */
function receiptOf({ lines }: Order, { lineItems }: KnownOrder, places: readonly number[]): object {
  return {
    allowOverReceipt: places.some((place) => lines[place]!.received > lines[place]!.ordered),
    lineItems: places.map((place) => ({
      lineItemId: lineItems[place]!.id,
      quantity: lines[place]!.received,
      damagedQuantity: lines[place]!.rejected,
    })),
  };
}
