// Samples of operations on shipments and manifests.
import type { Request } from './app.ts';
import { makeQuote, makeVans, quoteBody } from './carriers.ts';
import { make, unique } from './factories.ts';
import { nothing, orderOf, type SampleMaker } from './sample.ts';

/** A label that own vans sell. */
export async function makeShipment(request: Request, fields: Record<string, unknown> = {}) {
  const carrierCode = unique('vans');
  const account = await makeVans(request, { carrierCode });
  const shipment = await make(request, '/shipments', shipmentBody(carrierCode, fields));
  return { shipment, carrierAccountId: account.id as string };
}

export function shipmentBody(carrierCode: string, fields: Record<string, unknown> = {}) {
  return quoteBody({ carrierCode, serviceCode: 'economy', ...fields });
}

const shipmentOf: SampleMaker = async (request) => ({
  ids: { shipmentId: (await makeShipment(request)).shipment.id },
});

export const shipmentSamples: Record<string, SampleMaker> = {
  listShipments: nothing,
  createShipment: async (request) => {
    const { order } = await orderOf(request);
    const carrierCode = unique('vans');
    await makeVans(request, { carrierCode });
    const lineItems = [{ lineItemId: order.lineItems[0].id, quantity: 1 }];
    return { body: shipmentBody(carrierCode, { orderId: order.id, lineItems }) };
  },
  buyShippingQuote: async (request) => {
    const quote = await makeQuote(request);
    return { ids: { shippingQuoteId: quote.id }, body: { shippingRateId: quote.shippingRates[0].id } };
  },
  getShipment: shipmentOf,
  voidShipment: shipmentOf,
  createTrackingEvents: async (request) => ({
    ...(await shipmentOf(request)),
    body: { trackingDetails: [{ status: 'in-transit', occurredAt: '2026-11-21T10:15:00Z' }] },
  }),

  listManifests: nothing,
  createManifest: async (request) => ({
    body: { carrierAccountId: (await makeShipment(request)).carrierAccountId },
  }),
  getManifest: async (request) => {
    const { carrierAccountId } = await makeShipment(request);
    return { ids: { manifestId: (await make(request, '/manifests', { carrierAccountId })).id } };
  },
};
