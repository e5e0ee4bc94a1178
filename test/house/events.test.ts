// Every write leaves an event in its own transaction, unless it is listed here with the reason why not.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { eventsOf } from '../support/rows.ts';
import { addressOf, sampleOf } from '../support/samples.ts';

const service = await startTestApp();
after(service.close);
const { request, database, organizationId, contract } = service;
const writes = contract.operations.filter(({ method }) => method !== 'GET');

const events = () => eventsOf(database, organizationId);

/** Writes of which the documented types of event say nothing. */
const withoutEvent: Record<string, string> = {
  createCustomer: 'customers have no events',
  updateCustomer: 'customers have no events',
  createWarehouse: 'warehouses have no events',
  updateWarehouse: 'warehouses have no events',
  createWarehouseLocation: 'locations have no events until their stock changes',
  updateWarehouseLocation: 'locations have no events until their stock changes',
  createSupplier: 'suppliers have no events',
  updateSupplier: 'suppliers have no events',
  createSupplierProduct: 'suppliers have no events',
  updateSupplierProduct: 'suppliers have no events',
  updateOrganization: 'organizations have no events',
  createClient: 'organizations have no events',
  createCarrierAccount: 'carrier accounts have no events',
  updateCarrierAccount: 'carrier accounts have no events',
  createRateCard: 'carrier accounts have no events',
  createShippingQuote: 'quotes have no events until a label is bought',
  createManifest: 'manifests have no events',
  createWebhookEndpoint: 'endpoints have no events until they are disabled',
  updateWebhookEndpoint: 'endpoints have no events until they are disabled',
  archiveWebhookEndpoint: 'endpoints have no events until they are disabled',
  rotateWebhookSecret: 'endpoints have no events until they are disabled',
  redeliverWebhook: 'it sends an event that there is',
  createApiKey: 'keys have no events',
  revokeApiKey: 'keys have no events',
};

for (const operation of writes) {
  const { operationId } = operation;
  const why = withoutEvent[operationId];
  test(`${operationId} ${why === undefined ? 'writes an event' : `writes none: ${why}`}`, async () => {
    const sample = await sampleOf(operation)(request);
    const before = await events();
    const answer = await request(operation.method, addressOf(operation, sample), sample.body);
    assert.equal(answer.status, 200, answer.text);
    const written = (await events()).slice(before.length);
    if (why === undefined) assert.notDeepEqual(written, []);
    else assert.deepEqual(written, []);
  });
}

test('a refused write leaves none', async () => {
  const before = await events();
  for (const operation of writes) {
    const sample = { ...(await sampleOf(operation)(request)), body: { nonsense: true } };
    const made = await events();
    const answer = await request(operation.method, addressOf(operation, sample), sample.body);
    assert.equal(answer.status, 400, operation.operationId);
    assert.deepEqual(await events(), made, operation.operationId);
  }
  assert.ok((await events()).length >= before.length);
});

test('every exception is an operation', () => {
  const names = new Set(writes.map(({ operationId }) => operationId));
  assert.deepEqual(
    Object.keys(withoutEvent).filter((name) => !names.has(name)),
    [],
  );
});
