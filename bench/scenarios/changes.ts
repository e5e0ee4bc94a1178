// Writes beside orders: stock, one change and ten thousand; quotes and shipments of a carrier with prices of its own.
import assert from 'node:assert/strict';
import { type Catalogue, carrierCode } from '../catalogue.ts';
import { postRequest, randoms, type Scenario } from '../scenario.ts';
import { shipToAddress } from './create-order.ts';

const bulkChanges = 10_000;

function changeOf(n: number, { skus, own }: Catalogue) {
  const index = Math.floor(skus.length * randoms(n)());
  return {
    productVariantIdentifier: skus[index],
    warehouseId: own!.warehouseId,
    // The one that has units of it: a floor could not make the same record twice.
    warehouseLocationId: own!.locationIds[Math.floor((index + 1) / 100)],
    changeQuantity: 1 + (n % 5),
  };
}

const parcel = {
  shipToAddress,
  shipFromAddress: { ...shipToAddress, name: 'Warehouse', isResidential: false },
  packages: [{ weight: 12, dimensions: { length: 8, width: 6, height: 4 } }],
};

export const changeScenarios: readonly Scenario[] = [
  {
    name: 'change-inventory',
    title: 'Change stock of one variant',
    floor: 'Finds the variant; locks level and location; writes both and the ledger; writes the event.',
    request: (n, catalogue) => postRequest('/inventory', changeOf(n, catalogue)),
    check: ({ success }) => assert.equal(success, true),
  },
  {
    name: 'change-inventory-bulk',
    title: 'Change stock, 10,000 at once',
    floor: 'The same for all of them, in as many statements.',
    recordings: 2,
    request: (n, catalogue) =>
      postRequest('/inventory/bulk', {
        changes: Array.from({ length: bulkChanges }, (_, index) =>
          changeOf(n * bulkChanges + index, catalogue),
        ),
      }),
    check(answer) {
      assert.equal(answer.data.length, bulkChanges);
      // biome-ignore lint/suspicious/noExplicitAny: an answer's JSON
      assert.ok(answer.data.every(({ success }: any) => success));
    },
  },
  {
    name: 'create-quote',
    title: 'Create a quote, one account with a rate card',
    floor: 'Finds accounts and rate card; writes quote and rates; reads the quote back.',
    request: () => postRequest('/shipping-quotes', parcel),
    check: ({ data }) => assert.equal(data.shippingRates.length, 2, data.messages.join()),
  },
  {
    name: 'create-shipment',
    title: 'Create a shipment, label bought',
    floor:
      'Writes quote and shipment; takes the tracking number; writes the outcome; reads the shipment back.',
    request: () => postRequest('/shipments', { ...parcel, carrierCode, serviceCode: 'economy' }),
    check: ({ data }) => assert.equal(data.purchaseStatus, 'purchased'),
  },
];
