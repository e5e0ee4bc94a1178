// Rating over many accounts: those that hang, fail, answer nonsense or repeat their credentials cost a line each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Carrier,
  type CarrierAccount,
  CarrierError,
  type CarrierRate,
  type RateRequest,
} from '../carriers/carrier.ts';
import type { CarrierAccess } from '../carriers/carriers.ts';
import { rateAccounts } from './rate-accounts.ts';

const apiKey = 'EZTK-nobody-may-read-this';
const account = (carrierCode: string): CarrierAccount => ({
  organizationId: 'home',
  ownerOrganizationId: 'home',
  id: `id of ${carrierCode}`,
  kind: 'easypost',
  carrierCode,
  description: `Account ${carrierCode}`,
  settings: {},
  credentials: { apiKey },
});

const rate = (fields: Partial<CarrierRate> = {}): CarrierRate => ({
  serviceCode: 'ground',
  serviceName: 'Ground',
  rateTotal: '10',
  rateSurcharges: '1',
  compareAtRate: null,
  currency: 'usd',
  estDeliveryDays: 3,
  estDeliveryDate: null,
  deliveryDateGuaranteed: false,
  message: null,
  carrierReference: null,
  ...fields,
});

const request = { reference: 'r' } as RateRequest;

/** Asks one account for each answer, named by its key. */
async function rated(answers: Record<string, Carrier['rate']>, rateMs = 60_000) {
  const logged: unknown[] = [];
  const ask: Carrier['rate'] = (of, ...others) => answers[of.carrierCode]!(of, ...others);
  const access = {
    carriers: { easypost: { rate: ask } },
    timing: { rateMs },
    log: { error: (...line: unknown[]) => logged.push(line) },
  } as unknown as CarrierAccess;
  const result = await rateAccounts(access, Object.keys(answers).map(account), request);
  return { ...result, logged };
}

const unavailable =
  (message: string, carrierMessage: string | null = null) =>
  async () => {
    throw new CarrierError('carrier_unavailable', message, {
      bought: 'no',
      carrierErrorCode: carrierMessage === null ? null : 'E9',
      carrierMessage,
    });
  };

test('five accounts of which one hangs and one fails: the rates of three, a line for each of the two', async () => {
  const { rates, messages, failures } = await rated(
    {
      hangs: () => new Promise(() => {}),
      fails: unavailable('could not be reached'),
      a: async () => [rate({ rateTotal: '9.5' }), rate({ serviceCode: 'air', rateTotal: '30' })],
      b: async () => [rate({ rateTotal: '7' })],
      c: async () => [rate({ rateTotal: '12.25' })],
    },
    50,
  );
  assert.deepEqual(
    rates.map(({ account: { carrierCode }, serviceCode, rateTotal }) => [
      carrierCode,
      serviceCode,
      rateTotal,
    ]),
    [
      ['b', 'ground', '7'],
      ['a', 'ground', '9.5'],
      ['c', 'ground', '12.25'],
      ['a', 'air', '30'],
    ],
  );
  assert.deepEqual(messages, [
    'Account hangs (hangs): did not answer within 0.1 s',
    'Account fails (fails): could not be reached',
  ]);
  assert.deepEqual(
    failures.map(({ failure, bought }) => [failure, bought]),
    [
      ['carrier_timeout', 'no'],
      ['carrier_unavailable', 'no'],
    ],
  );
});

test('a carrier is told when its time is over, and what it throws then is nobody’s', async () => {
  let told = false;
  const { messages } = await rated(
    {
      heeds: (_account, _request, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            told = true;
            reject(new Error('aborted'));
          });
        }),
    },
    20,
  );
  assert.equal(told, true);
  assert.equal(messages.length, 1);
  assert.match(messages[0]!, /did not answer/);
});

test('the carrier’s own words are kept, without credentials that they repeat', async () => {
  const { messages, failures } = await rated({
    ups: unavailable('refused', `The key ${apiKey} is not known`),
  });
  assert.deepEqual(messages, ['Account ups (ups): The key *** is not known (E9)']);
  assert.equal(failures[0]!.carrierMessage, 'The key *** is not known');
});

test('what a carrier’s code throws by mistake is a line, and logged without credentials', async () => {
  const mistake = Object.assign(new TypeError(`cannot read ${apiKey}`), { config: { headers: apiKey } });
  const { rates, messages, logged } = await rated({
    broken: () => {
      throw mistake;
    },
    fine: async () => [rate()],
  });
  assert.equal(rates.length, 1);
  assert.deepEqual(messages, ['Account broken (broken): could not be asked']);
  const text = JSON.stringify(logged);
  assert.match(text, /TypeError: cannot read \*\*\*/);
  assert.ok(!text.includes(apiKey));
});

test('no service is a line; rates that make no sense are left out and said so, the others count', async () => {
  const { rates, messages } = await rated({
    none: async () => [],
    odd: async () => [
      rate({ rateTotal: 'NaN' }),
      rate({ rateTotal: '-1' }),
      rate({ rateTotal: '1e400' }),
      rate({ compareAtRate: 'much' }),
      rate({ currency: 'USD' }),
      rate({ serviceCode: '' }),
      rate({ carrierReference: 'x'.repeat(4_001) }),
      rate({ serviceCode: 'good', rateTotal: '5.00005', rateSurcharges: '0.00015' }),
    ],
  });
  assert.deepEqual(
    rates.map(({ serviceCode, rateTotal, rateSurcharges }) => [serviceCode, rateTotal, rateSurcharges]),
    [['good', '5', '0.0002']],
  );
  assert.deepEqual(messages, [
    'Account none (none): has no service for this',
    'Account odd (odd): 7 of its rates cannot be understood',
  ]);
});

test('prices are compared as decimals, each currency by itself', async () => {
  const { rates } = await rated({
    a: async () => [rate({ rateTotal: '100' }), rate({ rateTotal: '20' }), rate({ rateTotal: '3.5' })],
    b: async () => [rate({ rateTotal: '1', currency: 'eur' }), rate({ rateTotal: '20', serviceCode: 'air' })],
  });
  assert.deepEqual(
    rates.map(({ rateTotal, currency, serviceCode }) => `${rateTotal} ${currency} ${serviceCode}`),
    ['1 eur ground', '3.5 usd ground', '20 usd ground', '20 usd air', '100 usd ground'],
  );
});
