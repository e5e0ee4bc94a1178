// Deliveries: what arrives, how it is signed, and what becomes of what does not arrive.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { startTestApp, type TestOrganization } from '../../test/support/app.ts';
import { passTime, settleDeliveries } from '../../test/support/deliveries.ts';
import { make, makeProduct, makeWebhookEndpoint } from '../../test/support/factories.ts';
import { startReceiver, verified } from '../../test/support/receiver.ts';
import { sql } from '../database/connect.ts';
import * as limits from '../limits.ts';
import { claimDue } from './due-queries.ts';
import { retryAfterMs } from './schedule.ts';
import { signatureHeaders } from './secret.ts';

const service = await startTestApp({ webhookAllowPrivate: true });
const receiver = await startReceiver();
after(async () => {
  await receiver.close();
  await service.close();
});
const { database, makeOrganization } = service;

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely
type Row = any;

/** An organization of its own with one endpoint at a path of its own. */
async function subscribed(fields: Record<string, unknown> = {}) {
  const home = await makeOrganization();
  const url = `${receiver.url}/${home.slug}`;
  const endpoint = await makeWebhookEndpoint(home.request, { url, ...fields });
  const received = () => receiver.received.filter(({ path }) => path === `/${home.slug}`);
  return { home, endpoint, received };
}

const deliveriesOf = async ({ request }: TestOrganization, endpoint: Row): Promise<Row[]> =>
  (await request('GET', `/webhook-endpoints/${endpoint.id}/deliveries?limit=100&sortOrder=asc`)).body.data;
const readEndpoint = async ({ request }: TestOrganization, { id }: Row): Promise<Row> =>
  (await request('GET', `/webhook-endpoints/${id}`)).body.data;

test('the vector of the specification: the same id, time and body have the same signature', async () => {
  const {
    secret,
    'webhook-id': id,
    body,
    ...vector
  } = JSON.parse(
    await readFile(new URL('../../test/support/standard-webhooks-vector.json', import.meta.url), 'utf8'),
  );
  const at = new Date(vector['webhook-timestamp'] * 1000);
  assert.deepEqual(signatureHeaders([secret], id, at, body), {
    'webhook-id': id,
    'webhook-timestamp': String(vector['webhook-timestamp']),
    'webhook-signature': vector['webhook-signature'],
  });
});

test('every event arrives signed, as the feed shows it, under its own id', async () => {
  const { home, endpoint, received } = await subscribed();
  await makeProduct(home.request);
  await makeProduct(home.request);
  await settleDeliveries(database);
  const events = (await home.request('GET', '/events')).body.data;
  const arrived = received().map((request) => verified(endpoint.secret, request));
  assert.deepEqual(
    arrived.toSorted((a, b) => a.sequence - b.sequence),
    events,
  );
  for (const { headers, body } of received()) {
    assert.equal(headers['webhook-id'], JSON.parse(body).id);
    assert.equal(headers['content-type'], 'application/json');
  }
  for (const { status, attempts, completedAt, nextAttemptAt } of await deliveriesOf(home, endpoint)) {
    assert.deepEqual([status, attempts.length, nextAttemptAt], ['succeeded', 1, null]);
    assert.deepEqual(
      [attempts[0].responseStatus, attempts[0].responseBody, attempts[0].error],
      [204, '', null],
    );
    assert.ok(completedAt);
  }
});

test('an endpoint gets the types it asks for, of its own organization', async () => {
  const { home, received } = await subscribed({ eventTypes: ['product.archived'] });
  const { id } = await makeProduct(home.request);
  await home.request('DELETE', `/products/${id}`);
  await makeProduct((await makeOrganization()).request);
  await settleDeliveries(database);
  assert.deepEqual(
    received().map(({ body }) => JSON.parse(body).type),
    ['product.archived'],
  );
});

test("includeChildren sends a child's events to its parent too, and to no sibling", async () => {
  const { home: parent, endpoint, received } = await subscribed({ includeChildren: true });
  const child = await makeOrganization({ parentId: parent.id });
  const sibling = await makeOrganization({ parentId: parent.id });
  const url = `${receiver.url}/${sibling.slug}`;
  await makeWebhookEndpoint(sibling.request, { url, includeChildren: true });
  const own = await makeWebhookEndpoint(parent.request, { url: `${receiver.url}/own` });
  await makeProduct(child.request);
  await settleDeliveries(database);
  const [event] = received().map((request) => verified(endpoint.secret, request));
  assert.deepEqual([event.organizationId, event.type], [child.id, 'product.created']);
  const [delivery] = await deliveriesOf(parent, endpoint);
  assert.deepEqual([delivery.eventOrganizationId, delivery.organizationId], [child.id, parent.id]);
  assert.deepEqual(await deliveriesOf(parent, own), []);
  assert.ok(!receiver.received.some(({ path }) => path === `/${sibling.slug}`));
});

test('a failure is tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours, then it has failed', async () => {
  const { home, endpoint, received } = await subscribed();
  receiver.respond = (_, response) => response.writeHead(500).end('out of order');
  await makeProduct(home.request);
  for (const wait of [0, ...retryAfterMs]) {
    await database.query(sql`
      update webhook_endpoints set failing_since = null where organization_id = ${home.id}`);
    await passTime(database, home.id, (wait / 3_600_000) * 1.1);
    await settleDeliveries(database);
    const [delivery] = await deliveriesOf(home, endpoint);
    const expected = retryAfterMs[delivery.attempts.length - 1];
    if (expected === undefined) break;
    const next = Date.parse(delivery.nextAttemptAt) - Date.parse(delivery.updatedAt);
    assert.ok(next >= expected - 1000 && next <= expected * 1.1 + 1000, `${next} after ${expected}`);
  }
  receiver.respond = (_, response) => response.writeHead(204).end();
  const [delivery] = await deliveriesOf(home, endpoint);
  assert.deepEqual([delivery.status, delivery.attempts.length], ['failed', 10]);
  assert.equal(delivery.attempts[3].responseBody, 'out of order');
  assert.equal(new Set(received().map(({ headers }) => headers['webhook-id'])).size, 1);
  for (const request of received()) verified(endpoint.secret, request);

  // Sent again, it is the same event once more.
  const again = await make(
    home.request,
    `/webhook-endpoints/${endpoint.id}/deliveries/${delivery.id}/redeliver`,
  );
  assert.equal(again.status, 'pending');
  await settleDeliveries(database);
  const [done] = await deliveriesOf(home, endpoint);
  assert.deepEqual([done.status, done.attempts.length], ['succeeded', 11]);
  assert.equal(received().at(-1)!.headers['webhook-id'], delivery.eventId);
});

test('410 disables at once and cancels the rest, with an event; enabled again, what happens then is sent', async () => {
  const { home, endpoint, received } = await subscribed({ eventTypes: ['product.created'] });
  receiver.respond = (_, response) => response.writeHead(410).end();
  for (let index = 0; index < 20; index += 1) await makeProduct(home.request);
  await settleDeliveries(database);
  receiver.respond = (_, response) => response.writeHead(204).end();
  const disabled = await readEndpoint(home, endpoint);
  assert.deepEqual([disabled.enabled, disabled.disabledReason], [false, 'gone']);
  assert.deepEqual(
    [...new Set((await deliveriesOf(home, endpoint)).map(({ status }) => status))],
    ['cancelled'],
  );
  const [event] = (await home.request('GET', '/events?types=webhook_endpoint.disabled')).body.data;
  assert.deepEqual([event.data.object, event.data.previous.enabled], [disabled, true]);
  const before = received().length;
  await makeProduct(home.request);
  await settleDeliveries(database);
  assert.equal(received().length, before);
  await make(home.request, `/webhook-endpoints/${endpoint.id}`, { enabled: true });
  await makeProduct(home.request);
  await settleDeliveries(database);
  assert.equal(received().length, before + 1);
});

test('five days of failure disable, with an event; a success in between begins them anew', async () => {
  const { home, endpoint } = await subscribed();
  receiver.respond = (_, response) => response.writeHead(503).end();
  await makeProduct(home.request);
  await settleDeliveries(database);
  assert.ok((await readEndpoint(home, endpoint)).failingSince);
  await passTime(database, home.id, 119);
  await settleDeliveries(database);
  assert.equal((await readEndpoint(home, endpoint)).enabled, true);
  receiver.respond = (_, response) => response.writeHead(200).end('ok');
  await passTime(database, home.id, 10);
  await settleDeliveries(database);
  assert.equal((await readEndpoint(home, endpoint)).failingSince, null);
  receiver.respond = (_, response) => response.writeHead(503).end();
  await makeProduct(home.request);
  await settleDeliveries(database);
  await passTime(database, home.id, 121);
  await settleDeliveries(database);
  receiver.respond = (_, response) => response.writeHead(204).end();
  const disabled = await readEndpoint(home, endpoint);
  assert.deepEqual([disabled.enabled, disabled.disabledReason], [false, 'failing']);
  const { body } = await home.request('GET', '/events?types=webhook_endpoint.disabled');
  assert.equal(body.totalCount, 1);
});

test('while two secrets overlap both verify; afterwards only the new one does', async () => {
  const { home, endpoint, received } = await subscribed();
  const rotated = await make(home.request, `/webhook-endpoints/${endpoint.id}/rotate-secret`);
  assert.notEqual(rotated.secret, endpoint.secret);
  const hours = (Date.parse(rotated.previousSecretExpiresAt) - Date.parse(rotated.updatedAt)) / 3_600_000;
  assert.equal(hours, 24);
  await makeProduct(home.request);
  await settleDeliveries(database);
  for (const { secret } of [endpoint, rotated]) verified(secret, received()[0]!);
  await database.query(sql`
    update webhook_endpoints set previous_secret_expires_at = ${new Date()} where organization_id = ${home.id}`);
  await makeProduct(home.request);
  await settleDeliveries(database);
  verified(rotated.secret, received()[1]!);
  assert.throws(() => verified(endpoint.secret, received()[1]!), /No matching signature/);
});

test('a test event goes to its endpoint alone, whatever types it asks for', async () => {
  const { home, endpoint, received } = await subscribed({ eventTypes: ['order.created'] });
  await makeWebhookEndpoint(home.request, { url: `${receiver.url}/all-of-${home.slug}` });
  const delivery = await make(home.request, `/webhook-endpoints/${endpoint.id}/test`);
  assert.deepEqual([delivery.status, delivery.eventType], ['pending', 'webhook_endpoint.test']);
  await settleDeliveries(database);
  const [event] = received().map((request) => verified(endpoint.secret, request));
  assert.deepEqual(
    [event.type, event.id, event.objectId],
    ['webhook_endpoint.test', delivery.eventId, endpoint.id],
  );
  assert.ok(!receiver.received.some(({ path }) => path === `/all-of-${home.slug}`));
});

test('deliveries that were lost are made again from events and endpoints, and none is doubled', async () => {
  const { home, endpoint, received } = await subscribed();
  for (let index = 0; index < 3; index += 1) await makeProduct(home.request);
  await settleDeliveries(database);
  await database.query(sql`
    delete from webhook_deliveries where organization_id = ${home.id} and id in (
      select id from webhook_deliveries where organization_id = ${home.id} limit 1)`);
  await database.query(sql`delete from webhook_positions where organization_id = ${home.id}`);
  await settleDeliveries(database);
  assert.equal((await deliveriesOf(home, endpoint)).length, 3);
  assert.equal(received().length, 4);
});

test('what a process died with in hand is due again when its lease ends, and not before', async () => {
  const { home, endpoint, received } = await subscribed();
  await make(home.request, `/webhook-endpoints/${endpoint.id}/test`);
  const key = { organizationId: home.id, id: endpoint.id };
  assert.equal((await claimDue(database, key, new Date(), 10)).length, 1);
  await settleDeliveries(database);
  assert.equal(received().length, 0);
  await passTime(database, home.id, limits.webhookLeaseMs / 3_600_000);
  await settleDeliveries(database);
  assert.equal((await deliveriesOf(home, endpoint))[0].status, 'succeeded');
  assert.equal(received().length, 1);
});
