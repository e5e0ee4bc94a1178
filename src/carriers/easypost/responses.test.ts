// Every recorded shipment is understood as it is, and what is not there is not made up.
import assert from 'node:assert/strict';
import test from 'node:test';
import { recording } from '../../../test/support/easypost.ts';
import { easypostAccount } from '../../../test/support/easypost-samples.ts';
import { ratesOf } from './rates.ts';
import { feesIn, readShipment, refundOutcome, timeIn, trackingPageIn } from './responses.ts';

const shipmentIn = async (name: string, index = 0) =>
  readShipment((await recording(name))[index]!.response.body);

test('a shipment that was created, and one that was read, offer what was recorded and are not sold', async () => {
  for (const name of ['creates-a-domestic-shipment', 'buys-a-shipment', 'retrieves-a-shipment']) {
    const shipment = await shipmentIn(name);
    const rates = ratesOf(easypostAccount(), [shipment]);
    assert.deepEqual(rates.map(({ serviceCode, rateTotal }) => `${serviceCode} ${rateTotal}`).sort(), [
      'express 33.1',
      'ground_advantage 5.93',
      'priority 6.9',
    ]);
    assert.deepEqual([shipment.postage_label, shipment.tracking_code], [null, null]);
  }
});

test('one that was bought, and one that was given back', async () => {
  const bought = await shipmentIn('buys-a-shipment', 1);
  assert.equal(bought.tracking_code, '9400100110368068953228');
  assert.deepEqual(
    feesIn(bought).map(({ type, amount }) => `${type} ${amount}`),
    ['LabelFee 0.00000', 'PostageFee 5.93000', 'InsuranceFee 0.50000'],
  );
  assert.match(bought.postage_label!.label_url!, /^https:.*\.png$/);
  assert.match(trackingPageIn(bought.tracker)!, /^https:\/\/track\.easypost\.com\//);
  assert.equal(refundOutcome(bought.refund_status), undefined);
  assert.equal(refundOutcome((await shipmentIn('refunds-a-shipment')).refund_status), 'submitted');
});

test('what is inessential and cannot be understood is left out', async () => {
  const bought = await shipmentIn('buys-a-shipment', 1);
  assert.deepEqual(feesIn({ ...bought, fees: [{ type: 'X', amount: 'much' }, null] }), []);
  assert.equal(trackingPageIn('nowhere'), null);
});

test('what a purchase turns on must be right', async () => {
  const bought = await shipmentIn('buys-a-shipment', 1);
  for (const wrong of [{ id: '../x' }, { tracking_code: 7 }, { selected_rate: {} }, { postage_label: [] }]) {
    assert.throws(() => readShipment({ ...bought, ...wrong }, 'unknown'), {
      failure: 'carrier_unavailable',
      bought: 'unknown',
    });
  }
});

test('times', () => {
  const of = (text: string | null) => timeIn(text)?.toISOString();
  assert.equal(of('2024-08-05T00:00:00Z'), '2024-08-05T00:00:00.000Z');
  assert.equal(of('2024-08-05T00:00:00+02:00'), '2024-08-04T22:00:00.000Z');
  assert.equal(of('2024-08-05T00:00:00'), '2024-08-05T00:00:00.000Z');
  assert.equal(of('2024-08-05'), '2024-08-05T00:00:00.000Z');
  for (const none of [null, '', 'soon', '0001-01-01T00:00:00Z', '+099999-01-01T00:00:00Z']) {
    assert.equal(of(none), undefined);
  }
});
