// Creates a shipment: the label is bought, what was packed is fulfilled, and nothing of it happens twice or by halves.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { makeVans, mountainView, quoteBody, rateCard, reno } from '../../test/support/carriers.ts';
import { make, makeOrder, makeStocked, unique } from '../../test/support/factories.ts';
import { newId } from '../database/ids.ts';

const home = await startTestApp();
after(home.close);
const { request } = home;
await makeVans(request, { carrierCode: 'vans' });

const body = (fields: Record<string, unknown> = {}) =>
  quoteBody({ carrierCode: 'vans', serviceCode: 'economy', ...fields });

/** An order of two lines, wholly allocated. */
async function orderToShip() {
  const one = await makeStocked(request, 10);
  const two = await makeStocked(request, 10);
  const order = await makeOrder(request, {
    lineItems: [
      { productVariantId: one.variant.id, quantity: 3, price: 1 },
      { productVariantId: two.variant.id, quantity: 2, price: 1 },
    ],
  });
  const lines = order.lineItems.map(({ id, quantity }: { id: string; quantity: number }) => ({
    lineItemId: id,
    quantity,
  }));
  return { order, lines, one, two };
}

const eventsOf = async (objectId: string) =>
  (
    await home.database.pool.query('select type from events where object_id = $1 order by created_at, id', [
      objectId,
    ])
  ).rows.map(({ type }) => type);

describe('200', () => {
  it('answers the shipment with its label, quote, rate and tracker', async () => {
    const shipment = await make(request, '/shipments', body({ metadata: { batch: '7' } }));
    assert.match(shipment.trackingCode, /^VANS\d+$/);
    assert.equal(shipment.purchaseStatus, 'purchased');
    assert.deepEqual(
      [
        shipment.carrierAccount.carrierCode,
        shipment.shippingRate.serviceCode,
        shipment.shippingRate.rateTotal,
      ],
      ['vans', 'economy', 5],
    );
    assert.equal(shipment.shippingQuote.shipmentId, shipment.id);
    assert.deepEqual([shipment.tracker.status, shipment.tracker.trackingDetails], ['pre-transit', []]);
    assert.deepEqual(shipment.metadata, { batch: '7' });
    assert.deepEqual(
      [shipment.returnAddress.street1, 'isVerified' in shipment.returnAddress],
      [reno.street1, false],
    );
    assert.deepEqual(await eventsOf(shipment.id), ['shipment.purchased']);
    const answer = await request('GET', `/shipments/${shipment.id}`);
    const { shippingLabel } = answer.body.data.packages[0];
    assert.deepEqual(
      { ...answer.body.data, packages: [{ ...answer.body.data.packages[0], shippingLabel: 0 }] },
      { ...shipment, packages: [{ ...shipment.packages[0], shippingLabel: 0 }] },
    );
    assert.equal(shippingLabel.format, 'pdf');
  });

  it('the label is a PDF for whoever has its address, and for nobody else', async () => {
    const { packages } = await make(request, '/shipments', body());
    const { url, pdfUrl, dpi } = packages[0].shippingLabel;
    assert.equal(dpi, null);
    const label = await home.app.inject(url);
    assert.equal(label.statusCode, 200, label.body);
    assert.equal(label.headers['content-type'], 'application/pdf');
    assert.match(label.body, /^%PDF-/);
    assert.equal((await home.app.inject(pdfUrl)).body, label.body, 'it is the same each time');
    const other = (await make(request, '/shipments', body())).packages[0].shippingLabel.url as string;
    const forged = url.replace(/labels\/.*\.pdf/, /labels\/.*\.pdf/.exec(other)![0]);
    assert.equal((await home.app.inject(forged)).statusCode, 401);
    const later = url.replace(/expires=\d+/, `expires=${Math.floor(Date.now() / 1000) + 9e6}`);
    assert.equal((await home.app.inject(later)).statusCode, 401);
    assert.equal((await home.app.inject(url.split('?')[0])).statusCode, 401);
  });

  it('ZPL at the resolution that was asked for, and no PDF', async () => {
    const { packages } = await make(request, '/shipments', body({ labelFormat: 'zpl', zplDpi: 300 }));
    const { url, pdfUrl, dpi, format } = packages[0].shippingLabel;
    assert.deepEqual([format, dpi, pdfUrl], ['zpl', 300, null]);
    const label = await home.app.inject(url);
    assert.match(label.body, /^\^XA/);
    assert.match(label.body, /\^PW1200/);
  });

  it('what is in the parcels is fulfilled and its stock taken; the order shows the shipment and is found by its code', async () => {
    const { order, lines, one } = await orderToShip();
    const parcels = [
      { weight: 5, lineItems: [{ ...lines[0], quantity: 2 }] },
      { weight: 9, lineItems: [{ ...lines[0], quantity: 1 }, lines[1]] },
    ];
    const shipment = await make(request, '/shipments', body({ orderId: order.id, packages: parcels }));
    assert.deepEqual(shipment.order, { id: order.id, name: order.name });
    assert.equal(new Set(shipment.packages.map((p: { trackingCode: string }) => p.trackingCode)).size, 2);
    assert.deepEqual(
      shipment.packages.map((p: { lineItems: unknown }) => p.lineItems),
      parcels.map(({ lineItems }) => lineItems),
    );
    const shipped = (await request('GET', `/orders/${order.id}`)).body.data;
    assert.equal(shipped.fulfillmentStatus, 'fulfilled');
    assert.deepEqual(
      shipped.shipments.map((s: { id: string }) => s.id),
      [shipment.id],
    );
    assert.equal((await one.level()).availableQuantity, 7);
    for (const code of [shipment.trackingCode, shipment.packages[1].trackingCode]) {
      const found = await request('GET', `/orders?search=${code}`);
      assert.deepEqual(
        found.body.data.map(({ id }: { id: string }) => id),
        [order.id],
      );
      assert.equal((await request('GET', `/shipments?search=${code}`)).body.totalCount, 1);
    }
    assert.deepEqual(await eventsOf(order.id), ['order.created', 'order.fulfilled', 'order.updated']);
  });

  it('an order that is named without line items keeps its stock and its status', async () => {
    const { order } = await orderToShip();
    await make(request, '/shipments', body({ orderId: order.id }));
    assert.equal((await request('GET', `/orders/${order.id}`)).body.data.fulfillmentStatus, 'open');
  });

  it('the cheapest account that offers the service sells it', async () => {
    const carrierCode = unique('bikes');
    const card = (price: number) => {
      const [first] = rateCard().services;
      return rateCard({
        services: [{ ...first, breaks: [{ weightUpTo: '50 lb', prices: { all: price } }] }],
      });
    };
    await makeVans(request, { carrierCode, description: 'Dear', rateCard: card(9) });
    await makeVans(request, { carrierCode, description: 'Cheap', rateCard: card(7) });
    const shipment = await make(request, '/shipments', body({ carrierCode, serviceCode: 'same-day' }));
    assert.equal(shipment.carrierAccount.description, 'Cheap');
  });

  it('a repeat with the same reference and body answers the shipment that there is', async () => {
    const reference = unique('ref-');
    const first = await make(request, '/shipments', body({ reference }));
    const again = await make(request, '/shipments', body({ reference }));
    assert.equal(again.id, first.id);
    const other = await request('POST', '/shipments', body({ reference, serviceCode: 'same-day' }));
    assert.equal(other.status, 409);
    assert.deepEqual(
      [other.body.error.details.code, other.body.error.details.shipmentId],
      ['reference_taken', first.id],
    );
    await make(request, `/shipments/${first.id}/void`);
    assert.notEqual((await make(request, '/shipments', body({ reference }))).id, first.id);
  });

  it('20 clients with one key, and 20 with one reference, buy one label each', async () => {
    for (const [fields, headers] of [
      [{ metadata: { by: 'key' } }, { 'idempotency-key': unique('key') }],
      [{ reference: unique('ref-') }, {}],
    ] as const) {
      const before = (await request('GET', '/shipments')).body.totalCount;
      const all = await Promise.all(
        Array.from({ length: 20 }, () => request('POST', '/shipments', body(fields), headers)),
      );
      const ids = new Set(all.filter(({ status }) => status === 200).map((answer) => answer.body.data.id));
      for (const answer of all) assert.ok([200, 409].includes(answer.status), answer.text);
      assert.equal(ids.size, 1);
      assert.equal((await request('GET', '/shipments')).body.totalCount, before + 1);
      const replay = await request('POST', '/shipments', body(fields), headers);
      assert.equal(replay.body.data.id, [...ids][0]);
      assert.equal(replay.headers['idempotency-replayed'], 'idempotency-key' in headers ? 'true' : undefined);
    }
  });
});

describe('400, and nothing is written', () => {
  const refused: [string, Record<string, unknown>, string, string[]][] = [
    [
      'customs_required between countries',
      { shipToAddress: { ...mountainView, country: 'CA', state: 'ON', postalCode: 'K1A 0B1' } },
      'customs_required',
      ['/customsInput'],
    ],
    ['service_unavailable for a service nobody offers', { serviceCode: 'rocket' }, 'service_unavailable', []],
    [
      'service_unavailable for a carrier without an account',
      { carrierCode: 'nobody' },
      'service_unavailable',
      [],
    ],
    [
      'unprintable for an address that no label can carry',
      { shipToAddress: { ...mountainView, city: '東京' } },
      'unprintable',
      ['/shipToAddress/city'],
    ],
    ['an order that does not exist', { orderId: newId() }, 'invalid_parameters', ['/orderId']],
    [
      'line items without an order',
      { lineItems: [{ lineItemId: newId(), quantity: 1 }] },
      'invalid_parameters',
      ['/orderId'],
    ],
    [
      'line items for nobody knows which of two parcels',
      {
        orderId: newId(),
        packages: [{ weight: 1 }, { weight: 1 }],
        lineItems: [{ lineItemId: newId(), quantity: 1 }],
      },
      'invalid_parameters',
      ['/lineItems'],
    ],
    [
      'an unverified address where a verified one is asked for',
      { requireVerified: true, shipToAddress: { ...mountainView, postalCode: '1' } },
      'invalid_parameters',
      ['/shipToAddress/postalCode'],
    ],
  ];
  for (const [title, fields, code, paths] of refused) {
    it(title, async () => {
      const before = (await request('GET', '/shipments')).body.totalCount;
      const quotes = (await request('GET', '/shipping-quotes')).body.totalCount;
      const answer = await request('POST', '/shipments', body(fields));
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.body.error.details.code, code);
      assert.deepEqual(
        (answer.body.error.details.issues ?? []).map(({ path }: { path: string }) => path),
        paths,
      );
      assert.equal((await request('GET', '/shipments')).body.totalCount, before);
      assert.equal((await request('GET', '/shipping-quotes')).body.totalCount, quotes);
    });
  }

  it('service_unavailable says what is offered', async () => {
    const { details } = (await request('POST', '/shipments', body({ serviceCode: 'rocket' }))).body.error;
    assert.deepEqual(
      [details.serviceCodes, details.carrierCodes.includes('vans')],
      [['economy', 'same-day'], true],
    );
  });

  it('a line of no such order is named where it stands', async () => {
    const { order } = await orderToShip();
    const packages = [{ weight: 1, lineItems: [{ lineItemId: newId(), quantity: 1 }] }];
    const answer = await request('POST', '/shipments', body({ orderId: order.id, packages }));
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.body.error.details.issues[0].path, '/packages/0/lineItems/0/lineItemId');
  });
});

describe('409, and nothing is written', () => {
  it('quantity_exceeded for more than a line has open, over all parcels', async () => {
    const { order, lines } = await orderToShip();
    const packages = [lines[0], lines[0]].map((line) => ({ weight: 1, lineItems: [line] }));
    const answer = await request('POST', '/shipments', body({ orderId: order.id, packages }));
    assert.equal(`${answer.status} ${answer.body.error.details.code}`, '409 quantity_exceeded');
    assert.equal((await request('GET', `/orders/${order.id}`)).body.data.fulfillmentStatus, 'open');
  });

  it('in_use for the fulfilment of a label: it is undone by a void', async () => {
    const { order, lines } = await orderToShip();
    const shipment = await make(request, '/shipments', body({ orderId: order.id, lineItems: lines }));
    const path = `/orders/${order.id}/fulfillments/${shipment.fulfillmentId}/cancel`;
    const answer = await request('POST', path);
    assert.equal(`${answer.status} ${answer.body.error.details.code}`, '409 in_use');
  });
});

it('a ZPL label that leaves its country has its customs declaration beside it', async () => {
  const shipToAddress = { ...mountainView, country: 'CA', state: 'ON', postalCode: 'K1A 0B1' };
  const items = [{ description: 'Mug', quantity: 1, value: 9, weight: 12 }];
  const fields = { shipToAddress, customsInput: { items }, labelFormat: 'zpl' };
  const { packages } = await make(request, '/shipments', body(fields));
  const { url, pdfUrl, customsUrl } = packages[0].shippingLabel;
  assert.match((await home.app.inject(url)).body, /^\^XA/);
  assert.match((await home.app.inject(customsUrl)).body, /^%PDF-/);
  assert.equal(pdfUrl, null);
  const inland = (await make(request, '/shipments', body({ labelFormat: 'zpl' }))).packages[0].shippingLabel;
  assert.equal(inland.customsUrl, null);
  assert.equal((await home.app.inject(inland.url.replace('.zpl?', '.pdf?'))).statusCode, 404);
});

it('customs of an order are filled from its variants', async () => {
  const { variant } = await makeStocked(request, 5);
  const order = await makeOrder(request, {
    lineItems: [{ productVariantId: variant.id, quantity: 2, price: 4.5 }],
  });
  const shipToAddress = { ...mountainView, country: 'CA', state: 'ON', postalCode: 'K1A 0B1' };
  const shipment = await make(request, '/shipments', body({ orderId: order.id, shipToAddress }));
  const { items } = shipment.shippingQuote.customsInput;
  assert.deepEqual(
    items.map(({ sku, quantity, value }: Record<string, unknown>) => [sku, quantity, value]),
    [[variant.sku, 2, 9]],
  );
});
