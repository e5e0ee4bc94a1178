// A business with rows in every table and orders in every state, for the fixtures of schemas that databases are upgraded from.
import assert from 'node:assert/strict';
import { sequenceEvents } from '../../src/events/sequence.ts';
import { fanOut } from '../../src/webhooks/fan-out.ts';
import type { Answer, Request, TestApp } from '../support/app.ts';
import { rateCard } from '../support/carriers.ts';
import {
  addStock,
  make,
  makeBundle,
  makeCarrierAccount,
  makeLocation,
  makeOrder,
  makePlace,
  makeStocked,
  makeVariant,
  makeWebhookEndpoint,
} from '../support/factories.ts';
import { moveOn } from '../support/purchasing.ts';
import { shipmentBody } from '../support/samples-shipments.ts';
import { fillWorld } from './world.ts';

/** Returns the plain secret of a webhook endpoint, which is shown once. */
export async function writeWorld({ request, database, organizationId, organizationSlug }: TestApp) {
  await fillWorld(request);
  await makeStates(request);
  await makeShipped(request);
  const endpoint = await makeWebhookEndpoint(request, { url: 'https://example.com/kept' });
  const child = { 'x-service-client': 'branch' };
  await make(request, '/clients', { name: 'Branch', slug: 'branch' });
  const sent = { name: 'SO-', price: 1, orderDate: '2026-01-02T03:04:05Z', alias: 'FIXTURE-1' };
  assertOk(await request('POST', '/orders', sent, child));
  assertOk(await request('POST', '/orders', sent, { 'idempotency-key': 'an order' }));
  await sequenceEvents(database, organizationId, { wait: true });
  await fanOut(database, organizationId);
  return { organizationSlug, endpointId: endpoint.id as string, endpointSecret: endpoint.secret as string };
}

function assertOk({ status, text }: Answer): void {
  assert.equal(status, 200, text);
}

/** Orders that wait, of bundles, in part fulfilled and oversold; stock in lots, damaged and in quarantine. */
async function makeStates(request: Request): Promise<void> {
  const { place, variant } = await makeStocked(request, 10);
  const lots = await makePlace(request);
  for (const [lotNumber, expirationDate] of [
    ['L-1', '2020-01-01T00:00:00Z'],
    ['L-2', '2999-01-01T00:00:00Z'],
  ]) {
    await addStock(request, lots, variant.id, 4, { lotNumber, expirationDate });
  }
  for (const type of ['damaged', 'quality-control']) {
    const bin = await makeLocation(request, place.warehouseId, { type });
    await addStock(request, { ...place, warehouseLocationId: bin.id }, variant.id, 2);
  }
  await makeOrder(request, {}, [[variant.id, 5000]]);
  const bundle = await makeBundle(request, { [variant.id]: 2 });
  await makeOrder(request, { alias: 'of-a-bundle' }, [[bundle.id, 1]]);
  const scarce = await makeVariant(request);
  await makeOrder(request, { alias: 'waits' }, [[scarce.id, 3]]);
  const partly = await makeStocked(request, 9);
  const order = await makeOrder(request, { tags: ['b2b'] }, [[partly.variant.id, 6]]);
  const [line] = order.lineItems;
  await make(request, `/orders/${order.id}/fulfillments`, {
    lineItems: [{ lineItemId: line.id, quantity: 2 }],
  });
}

/** A purchase order received in part, a label of a simulated carrier, credentials of a real one, a card of prices. */
async function makeShipped(request: Request): Promise<void> {
  const { place, variant } = await makeStocked(request, 5);
  const supplier = await make(request, '/suppliers', { name: 'Mills' });
  const lineItems = [{ productVariantId: variant.id, requestedQuantity: 10, unitPrice: 2.5 }];
  const body = { supplierId: supplier.id, warehouseId: place.warehouseId, lineItems };
  const bought = await moveOn(request, await make(request, '/purchase-orders', body), 'open', 'confirm');
  const received = { lineItemId: bought.lineItems[0].id, quantity: 4, damagedQuantity: 1, lotNumber: 'M-1' };
  await make(request, `/purchase-orders/${bought.id}/receipts`, { lineItems: [received] });
  await makeCarrierAccount(request, { kind: 'simulated', carrierCode: 'usps', description: 'Simulated' });
  const order = await makeOrder(request, {}, [[variant.id, 1]]);
  const shipped = [{ lineItemId: order.lineItems[0].id, quantity: 1 }];
  await make(
    request,
    '/shipments',
    shipmentBody('usps', {
      serviceCode: 'priority',
      orderId: order.id,
      lineItems: shipped,
      reference: 'box',
    }),
  );
  await makeCarrierAccount(request, {
    ...{ kind: 'easypost', carrierCode: 'usps-real', description: 'Real', enabled: false },
    credentials: { apiKey: 'EZTKtest0123456789' },
  });
  await makeCarrierAccount(request, { carrierCode: 'cards', rateCard: rateCard() });
}
