// Customs of a quote between two countries: asked for, taken as sent, or filled in from the lines of the order.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { makeVans, quoteBody } from '../../test/support/carriers.ts';
import { make, makeOrder, makeProduct, makeStocked } from '../../test/support/factories.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely
type Json = any;

const service = await startTestApp();
after(service.close);
const { request } = service;
await makeVans(request);

const toronto = {
  name: 'Ada Byron',
  street1: '290 Bremner Blvd',
  city: 'Toronto',
  state: 'ON',
  postalCode: 'M5V 3L9',
  country: 'CA',
};
const abroad = (fields: object = {}) => quoteBody({ shipToAddress: toronto, ...fields });
const customsOf = async (fields: object) =>
  (await make(request, '/shipping-quotes', abroad(fields))).customsInput;

async function required(fields: object): Promise<string[]> {
  const answer = await request('POST', '/shipping-quotes', abroad(fields));
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.body.error.details.code, 'customs_required');
  return answer.body.error.details.issues.map(({ path }: Json) => path);
}

const sentItem = { description: 'Book', quantity: 2, value: 30.5 };
const filledItem = {
  ...sentItem,
  currency: 'usd',
  weight: null,
  weightUnit: 'oz',
  tariffCode: null,
  countryOfOrigin: null,
  sku: null,
  eccn: null,
};
const defaults = {
  contentsType: 'merchandise',
  contentsExplanation: null,
  signer: null,
  nonDeliveryOption: 'return',
  incoterm: null,
  eelPfc: null,
};

test('none within one country, unless they are sent', async () => {
  assert.equal((await make(request, '/shipping-quotes', quoteBody())).customsInput, null);
  const sent = await make(request, '/shipping-quotes', quoteBody({ customsInput: { items: [sentItem] } }));
  assert.deepEqual(sent.customsInput, { ...defaults, items: [filledItem] });
});

test('400 customs_required between two countries without an order, and where no line of it is shipped', async () => {
  assert.deepEqual(await required({}), ['/customsInput']);
  assert.deepEqual(await required({ customsInput: { signer: 'Ada' } }), ['/customsInput/items']);
  const product = await makeProduct(request, {}, [{ requiresShipping: false }]);
  const order = await makeOrder(request, {}, [[product.variants[0].id, 1]]);
  assert.deepEqual(await required({ orderId: order.id }), ['/customsInput']);
});

test('what is sent is kept as it is, with what is left out by default', async () => {
  const customsInput = {
    contentsType: 'gift',
    signer: 'Ada Byron',
    nonDeliveryOption: 'abandon',
    incoterm: 'DDP',
    items: [{ ...sentItem, countryOfOrigin: 'cn', weight: 3, weightUnit: 'lb', eccn: 'EAR99' }],
  };
  const item = { ...filledItem, countryOfOrigin: 'CN', weight: 3, weightUnit: 'lb', eccn: 'EAR99' };
  assert.deepEqual(await customsOf({ customsInput }), { ...defaults, ...customsInput, items: [item] });
});

test('filled in from what is open of the order’s lines, exactly, and sent fields win', async () => {
  const product = await makeProduct(request, { name: 'Mug', eccn: 'EAR99' }, [
    {
      title: 'Blue',
      sku: 'MUG-CUSTOMS',
      price: 0.1,
      weight: 0.7,
      tariffCode: '7323.94',
      countryOfOrigin: 'cn',
    },
  ]);
  const { place } = await makeStocked(request, 0);
  const variant = product.variants[0];
  await make(request, '/inventory', { productVariantIdentifier: variant.id, ...place, changeQuantity: 10 });
  const order = await makeOrder(request, {}, [[variant.id, 4]]);
  const item = {
    ...{ description: 'Mug, Blue', quantity: 4, value: 0.4, currency: 'usd', weight: 2.8, weightUnit: 'oz' },
    ...{ tariffCode: '7323.94', countryOfOrigin: 'CN', sku: 'MUG-CUSTOMS', eccn: 'EAR99' },
  };
  assert.deepEqual(await customsOf({ orderId: order.id }), { ...defaults, items: [item] });

  await make(request, `/orders/${order.id}/fulfillments`, {
    lineItems: [{ lineItemId: order.lineItems[0].id, quantity: 1 }],
  });
  const open = await customsOf({ orderId: order.id, customsInput: { signer: 'Ada', items: null } });
  const rest = { ...item, quantity: 3, value: 0.3, weight: 2.1 };
  assert.deepEqual(open, { ...defaults, signer: 'Ada', items: [rest] });

  await make(request, `/orders/${order.id}/fulfillments`, {});
  assert.equal((await customsOf({ orderId: order.id })).items[0].quantity, 4, 'all, where nothing is open');
  const given = await customsOf({ orderId: order.id, customsInput: { items: [sentItem] } });
  assert.deepEqual(given.items, [filledItem]);
});
