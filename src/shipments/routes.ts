// The endpoints of shipments.
import { findFamily } from '../database/children.ts';
import { type ErrorCode, notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, NoBody, single as singleOf } from '../http/schemas.ts';
import type { ShippingAccess } from './access.ts';
import { buyShippingQuote } from './buy-shipping-quote.ts';
import { createShipment } from './create-shipment.ts';
import { createTrackingEvents } from './create-tracking-events.ts';
import { findShipment, listShipments } from './queries.ts';
import {
  BuyShippingQuoteBody,
  CreateShipmentBody,
  CreateTrackingEventsBody,
  ListShipmentsQuery,
  Shipment,
} from './schema.ts';
import { voidShipment } from './void-shipment.ts';

const ofCarriers: ErrorCode[] = [
  'purchase_running',
  'carrier_rejected',
  'carrier_unavailable',
  'carrier_credentials',
  'carrier_timeout',
];
const ofPurchases: ErrorCode[] = [
  'service_unavailable',
  'unprintable',
  'invalid_transition',
  'quantity_exceeded',
  'insufficient_stock',
  'reference_taken',
  ...ofCarriers,
];

export function shipmentRoutes(api: Api, access: ShippingAccess): void {
  api.get(
    '/shipments',
    {
      operationId: 'listShipments',
      permission: 'shipments:read',
      summary: 'List shipments',
      description: '`search` matches tracking codes; `dateRange` applies to creation.',
      query: ListShipmentsQuery,
      response: listOf(Shipment),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) => {
      const own = scope.organizationId;
      const organizations = query.childOrders ? await findFamily(database, own) : own;
      return list(await listShipments(database, access.links, organizations, query));
    },
  );
  api.steps(
    '/shipments',
    {
      operationId: 'createShipment',
      permission: 'shipments:write',
      summary: 'Create a shipment and buy its label',
      description:
        'Rates the accounts of `carrierCode`, and buys the cheapest of `serviceCode`, exactly once: what line items are in the parcels, a shipment `pending` and the Idempotency-Key commit before the carrier is called. A 502 or 504 carries `shipmentId`; after a 504 the outcome is not known, the service goes on asking, and a repeat with the same key or `reference` goes on with the same purchase.',
      body: CreateShipmentBody,
      response: singleOf('shipment', Shipment),
      errors: ['customs_required', ...ofPurchases],
    },
    (steps, body) => createShipment(access, steps, body),
  );
  api.steps(
    '/shipping-quotes/{shippingQuoteId}/buy',
    {
      operationId: 'buyShippingQuote',
      permission: 'shipments:write',
      summary: 'Buy the label of a rate',
      description:
        'A quote is bought once: a repeat with the same body answers the same shipment, another is 409 `quote_bought`, until that shipment has failed. Errors of the carrier are those of `createShipment`.',
      ids: { shippingQuoteId: 'shipping quote' },
      body: BuyShippingQuoteBody,
      response: singleOf('shipment', Shipment),
      errors: ['quote_bought', 'quote_expired', ...ofPurchases],
    },
    (steps, body) => buyShippingQuote(access, steps, body),
  );
  api.get(
    '/shipments/{shipmentId}',
    {
      operationId: 'getShipment',
      permission: 'shipments:read',
      summary: 'Get a shipment',
      ids: { shipmentId: 'shipment' },
      response: singleOf('shipment', Shipment),
    },
    async ({ database, scope, ids }) => {
      const found = await findShipment(database, access.links, scope.organizationId, ids['shipmentId']!);
      if (found === undefined) throw notFound('shipment');
      return single('shipment', found);
    },
  );
  api.steps(
    '/shipments/{shipmentId}/void',
    {
      operationId: 'voidShipment',
      permission: 'shipments:write',
      summary: 'Void a label',
      description:
        'Asks the account that bought it. Accepted (`voidStatus` `submitted` or `voided`), it returns the stock and the allocation of the order at once; refused, `refundStatus` is `rejected` and the label stays. A repeat answers the same. 409 once the carrier has scanned the parcel, and for a parcel on a manifest that only this service could take back.',
      ids: { shipmentId: 'shipment' },
      body: NoBody,
      bodyOptional: true,
      response: singleOf('shipment', Shipment),
      errors: ['not_voidable', ...ofCarriers],
    },
    (steps) => voidShipment(access, steps),
  );
  api.post(
    '/shipments/{shipmentId}/tracking-events',
    {
      operationId: 'createTrackingEvents',
      permission: 'shipments:write',
      summary: 'Tell what became of a parcel',
      description:
        'For carriers that cannot be asked. Events may come in any order and more than once; one that is told twice is one, and a late one never moves a final status back.',
      ids: { shipmentId: 'shipment' },
      body: CreateTrackingEventsBody,
      response: singleOf('shipment', Shipment),
      errors: ['conflict'],
    },
    async (write) =>
      single(
        'shipment',
        await createTrackingEvents(write, access.links, write.ids['shipmentId']!, write.body),
      ),
  );
}
