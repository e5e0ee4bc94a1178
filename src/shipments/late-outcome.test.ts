// A purchase or a void that outlasts its claim: the background has settled it when its own outcome comes. It counts once.
import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import { startTestApp, testSecret } from '../../test/support/app.ts';
import { quoteBody } from '../../test/support/carriers.ts';
import { make, makeCarrierAccount, makeOrder, makeStocked } from '../../test/support/factories.ts';
import { type Fault, fail, scriptedCarrier } from '../../test/support/scripted-carrier.ts';
import { systemScope } from '../auth/scope.ts';
import { verifyCounts } from '../cli/verify-counts.ts';
import { sql } from '../database/connect.ts';
import { makeShipping } from '../shipping.ts';
import { carryOn } from './purchase.ts';
import { settleDue } from './watch-carriers.ts';

const script = scriptedCarrier();
const carriers = { 'rate-card': script.carrier };
// The request outlasts every test's background.
const slow = { buyMs: 60_000, askMs: 60_000, settleMs: 0, retryMs: 0 };
const home = await startTestApp({ shipping: { carriers, timing: slow }, logLevel: 'silent' });
after(home.close);
const { request, database, organizationId } = home;
await makeCarrierAccount(request, { carrierCode: 'scripted' });
const config = { secret: testSecret, easypostUrl: 'http://127.0.0.1:1' };
const timing = { ...slow, buyMs: 300, askMs: 300 };
const background = makeShipping({ database, config, log: { error: () => {} }, carriers, timing });

/** The claim has run out, and the background goes on with what was left. */
async function settle(): Promise<void> {
  await database.query(sql`
    update shipments set claimed_until = null, next_attempt_at = ${new Date(0)}
    where organization_id = ${organizationId} and next_attempt_at is not null`);
  await settleDue(background);
}

async function packed() {
  const { variant, level } = await makeStocked(request, 10);
  const order = await makeOrder(request, {}, [[variant.id, 4]]);
  const lineItems = [{ lineItemId: order.lineItems[0].id, quantity: 4 }];
  const body = quoteBody({ carrierCode: 'scripted', serviceCode: 'ground', orderId: order.id, lineItems });
  const stock = async () => {
    const { onHandQuantity, committedQuantity } = await level();
    return [onHandQuantity, committedQuantity];
  };
  return { body, stock };
}

/** Holds a call of the request until it is let go on. */
function hold(then: () => void): Fault & { reached: Promise<void>; release: () => void } {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const wait = async () => {
    reached.resolve();
    await released.promise;
    then();
  };
  return { before: wait, reached: reached.promise, release: released.resolve };
}

type Answered = Awaited<ReturnType<typeof request>>;
/** Without the links, which are signed anew each time. */
const shown = ({ packages: _, ...shipment }: Record<string, unknown>) => shipment;
const read = async (id: string) => shown((await request('GET', `/shipments/${id}`)).body.data);

async function assertCountedOnce(id: string, events: string[]): Promise<void> {
  const { countDifferences } = await verifyCounts(database, [organizationId]);
  assert.deepEqual(countDifferences, []);
  const rows = await database.query<{ type: string }>(sql`
    select type from events where organization_id = ${organizationId} and object_id = ${id} order by id`);
  assert.deepEqual(
    rows.map(({ type }) => type),
    events,
  );
  assert.equal((await request('GET', '/inventory/verify')).body.data.consistent, true);
}

const said = ({ status, body }: Answered) => `${status} ${body.error?.details.code}`;

const answers = {
  'a label': () => {},
  'a refusal': fail('carrier_rejected', 'no'),
  'no answer': fail('carrier_unavailable', 'unknown'),
};
type Answer = keyof typeof answers;
const settled = {
  'a label': { status: 'purchased', stock: [6, 0], events: ['shipment.purchased'] },
  'a refusal': { status: 'failed', stock: [10, 4], events: ['shipment.failed'] },
};

for (const decided of ['a label', 'a refusal'] as const) {
  for (const late of Object.keys(answers) as Answer[]) {
    test(`the background had ${decided} when the request has ${late}: the first one counts, once`, async () => {
      const { body, stock } = await packed();
      const held = hold(answers[late]);
      script.buyFaults = [held, { before: answers[decided] }];
      const answering = request('POST', '/shipments', body);
      await held.reached;
      await settle();
      const { status, stock: left, events } = settled[decided];
      const [{ id }] = (await request('GET', '/shipments')).body.data;
      const first = await read(id);
      assert.equal(first['purchaseStatus'], status);
      held.release();
      const answer = await answering;
      assert.deepEqual(await read(id), first);
      assert.deepEqual(await stock(), left);
      await assertCountedOnce(id, events);
      if (decided === 'a label') assert.deepEqual(shown(answer.body.data), first);
      else assert.equal(said(answer), '502 carrier_rejected');
    });
  }
}

test('both are told at the same moment that there is a label: it is stored once', async () => {
  const { body, stock } = await packed();
  const held = hold(() => {});
  script.buyFaults = [{ after: held.before! }];
  const answering = request('POST', '/shipments', body);
  await held.reached;
  script.findFaults = [{ after: held.release }];
  await settle();
  const { id } = (await answering).body.data;
  assert.deepEqual(await stock(), [6, 0]);
  await assertCountedOnce(id, ['shipment.purchased']);
});

for (const late of ['a refusal', 'no answer'] as const) {
  test(`the request has ${late} while the background buys: what the background is told counts`, async () => {
    const { body, stock } = await packed();
    const [lost, buying] = [hold(answers[late]), hold(() => {})];
    script.buyFaults = [lost, buying];
    const answering = request('POST', '/shipments', body);
    await lost.reached;
    const settling = settle();
    await buying.reached;
    lost.release();
    const answer = await answering;
    assert.equal(said(answer), '504 carrier_timeout');
    const id = answer.body.error.details.shipmentId;
    assert.equal((await read(id))['purchaseStatus'], 'pending');
    // Nobody else may begin to buy.
    assert.equal(await carryOn(background, systemScope(organizationId), id), 'busy');
    buying.release();
    await settling;
    assert.equal((await read(id))['purchaseStatus'], 'purchased');
    assert.deepEqual(await stock(), [6, 0]);
    await assertCountedOnce(id, ['shipment.purchased']);
  });
}

test('a machine that slept longer than its claim does not buy', async () => {
  const { body } = await packed();
  script.buyFaults = [{ before: answers['no answer'] }];
  const { shipmentId } = (await request('POST', '/shipments', body)).body.error.details;
  await database.query(sql`
    update shipments set next_attempt_at = ${new Date(0)}
    where organization_id = ${organizationId} and id = ${shipmentId}`);
  const calls = script.calls.buy;
  script.findFaults = [{ after: () => mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 }) }];
  try {
    assert.equal(await carryOn(background, systemScope(organizationId), shipmentId), 'open');
    assert.equal(script.calls.buy, calls);
    await settle();
  } finally {
    mock.timers.reset();
  }
  assert.equal((await read(shipmentId))['purchaseStatus'], 'purchased');
  assert.equal(script.sold.filter(({ reference }) => reference === shipmentId).length, 1);
});

for (const answer of ['voided', 'submitted'] as const) {
  test(`the background was told of a void when the request is told that it is ${answer}: it counts once`, async () => {
    const { body, stock } = await packed();
    const { id } = await make(request, '/shipments', body);
    const held = hold(() => {});
    script.voidFaults = [held];
    script.voidAnswers = [answer, answer];
    const answering = request('POST', `/shipments/${id}/void`);
    await held.reached;
    await settle();
    const first = await read(id);
    assert.equal(first['voidStatus'], answer);
    held.release();
    const { status, body: answered } = await answering;
    assert.deepEqual([status, shown(answered.data)], [200, first]);
    assert.deepEqual(await stock(), [10, 4]);
    await assertCountedOnce(id, ['shipment.purchased', 'shipment.voided']);
  });
}
