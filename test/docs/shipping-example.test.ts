// docs/shipping.md does what it says: its example runs as printed, and its table of faults is the one of the code.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, it } from 'node:test';
import { faults } from '../../src/carriers/simulated/faults.ts';
import { startTestApp } from '../support/app.ts';

const text = await readFile(new URL('../../docs/shipping.md', import.meta.url), 'utf8');
const { request, app, close } = await startTestApp();
after(close);

it('the example buys a label', async () => {
  const steps = [...text.matchAll(/`POST \/api\/v1(\/[\w-]+)`\n\s*```json\n([\s\S]*?)```/g)];
  assert.equal(steps.length, 3);
  const answers = [];
  for (const [, path, body] of steps) {
    const answer = await request('POST', path!, body);
    assert.equal(answer.status, 200, answer.text);
    answers.push(answer.body.data);
  }
  const [, quote, shipment] = answers;
  assert.deepEqual(
    [quote.shippingRates[0].rateTotal, shipment.shippingRate.rateTotal, shipment.purchaseStatus],
    [4.5, 4.5, 'purchased'],
  );
  const label = await app.inject(shipment.packages[0].shippingLabel.url);
  assert.match(label.body, /^\^XA/);
  const bought = { shippingRateId: quote.shippingRates[0].id };
  assert.equal((await request('POST', `/shipping-quotes/${quote.id}/buy`, bought)).status, 200);
});

it('the table of faults is that of the simulated carriers', () => {
  const rows = [...text.matchAll(/^\| `(\d{5})` \| `([\w-]+)` \| (.+) \|$/gm)].map(([, ...row]) => row);
  assert.deepEqual(
    rows,
    faults.map(({ postalCode, fault, happens }) => [postalCode, fault, happens]),
  );
});

it('the example carrier is as long as it says', async () => {
  const source = await readFile(new URL('../../examples/bike-courier/carrier.ts', import.meta.url), 'utf8');
  assert.match(text, new RegExp(`a whole one in ${source.trimEnd().split('\n').length} lines`));
});
