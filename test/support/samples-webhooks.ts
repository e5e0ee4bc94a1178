// Valid requests for the operations of events and webhooks.
import type { Request } from './app.ts';
import { make, makeProduct, makeWebhookEndpoint } from './factories.ts';
import { nothing, type SampleMaker } from './sample.ts';

async function endpointIds(request: Request) {
  return { webhookEndpointId: (await makeWebhookEndpoint(request)).id as string };
}

export const webhookSamples: Record<string, SampleMaker> = {
  listEvents: nothing,
  getEvent: async (request) => {
    const { id: objectId } = await makeProduct(request);
    const { body } = await request('GET', `/events?objectId=${objectId}`);
    return { ids: { eventId: body.data[0].id } };
  },
  listWebhookEndpoints: nothing,
  createWebhookEndpoint: async () => ({ body: { url: 'https://example.com/hooks' } }),
  getWebhookEndpoint: async (request) => ({ ids: await endpointIds(request) }),
  updateWebhookEndpoint: async (request) => ({
    ids: await endpointIds(request),
    body: { eventTypes: ['order.created'] },
  }),
  archiveWebhookEndpoint: async (request) => ({ ids: await endpointIds(request) }),
  rotateWebhookSecret: async (request) => ({ ids: await endpointIds(request) }),
  testWebhookEndpoint: async (request) => ({ ids: await endpointIds(request) }),
  listWebhookDeliveries: async (request) => ({ ids: await endpointIds(request) }),
  redeliverWebhook: async (request) => {
    const ids = await endpointIds(request);
    const delivery = await make(request, `/webhook-endpoints/${ids.webhookEndpointId}/test`);
    return { ids: { ...ids, deliveryId: delivery.id } };
  },
};
