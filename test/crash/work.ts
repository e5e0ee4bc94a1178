// What the clients of the crash test do: they order, ship, move, receive and take back, in a random order.
import type { Json, Sender } from './client.ts';

export interface World {
  warehouseId: string;
  binIds: string[];
  variantIds: string[];
  supplierId: string;
}

export const workAddresses = {
  shipFromAddress: {
    company: 'Crash',
    street1: '500 E 4th St',
    city: 'Reno',
    state: 'NV',
    postalCode: '89512',
    country: 'US',
  },
  shipToAddress: {
    name: 'Ada Byron',
    street1: '1600 Amphitheatre Pkwy',
    city: 'Mountain View',
    state: 'CA',
    postalCode: '94043',
    country: 'US',
  },
};

export async function makeWorld(sender: Sender): Promise<World> {
  const warehouse = await sender.post('/warehouses', { name: 'Crash' });
  const binIds = [];
  for (const name of ['A', 'B', 'C']) {
    binIds.push((await sender.post(`/warehouses/${warehouse.id}/locations`, { name })).id);
  }
  const variants = Array.from({ length: 6 }, (_, n) => ({ title: `T${n}`, sku: `CRASH-${n}`, weight: 4 }));
  const product = await sender.post('/products', { name: 'Crash', variants });
  const variantIds = product.variants.map(({ id }: { id: string }) => id);
  for (const id of variantIds) {
    await sender.post('/inventory', {
      ...{ productVariantIdentifier: id, warehouseId: warehouse.id, warehouseLocationId: binIds[0] },
      ...{ changeQuantity: 100_000, reason: 'opening' },
    });
  }
  const supplier = await sender.post('/suppliers', { name: 'Crash' });
  return { warehouseId: warehouse.id, binIds, variantIds, supplierId: supplier.id };
}

type Random = (below: number) => number;

/** One thing that a client does, made of one request or several. */
export async function workOnce(sender: Sender, world: World, random: Random): Promise<void> {
  const works = [
    orderAndShip,
    orderAndShip,
    orderAndShip,
    orderAndFulfil,
    orderAndCancel,
    adjust,
    move,
    receive,
    customer,
  ];
  await works[random(works.length)]!(sender, world, random);
}

function order(sender: Sender, { variantIds }: World, random: Random): Promise<Json | undefined> {
  const lineItems = Array.from({ length: 1 + random(3) }, (_, n) => ({
    productVariantId: variantIds[(random(variantIds.length) + n) % variantIds.length],
    quantity: 1 + random(4),
    price: 5,
  }));
  return sender.post('/orders', {
    name: 'CR-',
    alias: 'order-#',
    price: 5,
    orderDate: '2026-11-21T00:00:00Z',
    lineItems,
  });
}

async function orderAndShip(sender: Sender, world: World, random: Random): Promise<void> {
  const made = await order(sender, world, random);
  if (made === undefined) return;
  const [carrierCode, serviceCode] = [
    ['usps', 'priority'],
    ['ups', 'ground'],
    ['fedex', '2day'],
  ][random(3)]!;
  const lineItems = made.lineItems.map(({ id, quantity }: Json) => ({ lineItemId: id, quantity }));
  const shipment = await sender.post('/shipments', {
    ...{ carrierCode, serviceCode, orderId: made.id, lineItems, packages: [{ weight: 8 }] },
    ...workAddresses,
    ...(random(2) === 0 ? { reference: 'box-#' } : {}),
  });
  if (shipment !== undefined && random(4) === 0) await sender.post(`/shipments/${shipment.id}/void`);
}

async function orderAndFulfil(sender: Sender, world: World, random: Random): Promise<void> {
  const made = await order(sender, world, random);
  if (made === undefined) return;
  const fulfillment = await sender.post(`/orders/${made.id}/fulfillments`, { trackingCode: 'own-#' });
  if (fulfillment !== undefined && random(3) === 0) {
    await sender.post(`/orders/${made.id}/fulfillments/${fulfillment.id}/cancel`);
  }
}

async function orderAndCancel(sender: Sender, world: World, random: Random): Promise<void> {
  const made = await order(sender, world, random);
  if (made === undefined) return;
  if (random(2) === 0) await sender.post(`/orders/${made.id}/hold`, { reason: 'other' });
  await sender.post(`/orders/${made.id}/cancel`);
}

async function adjust(
  sender: Sender,
  { variantIds, warehouseId, binIds }: World,
  random: Random,
): Promise<void> {
  await sender.post('/inventory', {
    ...{ productVariantIdentifier: variantIds[random(variantIds.length)], warehouseId },
    ...{
      warehouseLocationId: binIds[random(binIds.length)],
      changeQuantity: 1 + random(9),
      reason: 'count-#',
    },
  });
}

async function move(
  sender: Sender,
  { variantIds, warehouseId, binIds }: World,
  random: Random,
): Promise<void> {
  await sender.post('/inventory', {
    ...{
      productVariantIdentifier: variantIds[random(variantIds.length)],
      warehouseId,
      warehouseLocationId: binIds[0],
    },
    ...{ changeQuantity: 1 + random(9), moveToWarehouseLocationId: binIds[1 + random(2)], reason: 'move-#' },
  });
}

async function receive(
  sender: Sender,
  { variantIds, supplierId, warehouseId }: World,
  random: Random,
): Promise<void> {
  const productVariantId = variantIds[random(variantIds.length)];
  const made = await sender.post('/purchase-orders', {
    ...{ supplierId, warehouseId, referenceNumber: 'po-#' },
    lineItems: [{ productVariantId, requestedQuantity: 9, unitPrice: 1 }],
  });
  if (made === undefined) return;
  for (const step of ['open', 'confirm']) {
    if ((await sender.post(`/purchase-orders/${made.id}/${step}`)) === undefined) return;
  }
  for (const quantity of [4, 5]) {
    const lineItems = [{ lineItemId: made.lineItems[0].id, quantity, damagedQuantity: random(2) }];
    await sender.post(`/purchase-orders/${made.id}/receipts`, { reference: 'receipt-#', lineItems });
  }
}

async function customer(sender: Sender): Promise<void> {
  await sender.post('/customers', { name: 'customer-#' });
}
