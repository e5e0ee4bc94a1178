// What the API shows of everything that an organisation has: each list to its end, and each record by itself.
import assert from 'node:assert/strict';
import type { Request } from '../support/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
type Json = any;

/** List -> the address of one of its records; none where that would say nothing new. */
const lists: Record<string, ((record: Json) => string) | undefined> = {
  '/customers': ({ id }) => `/customers/${id}`,
  '/products': ({ id }) => `/products/${id}`,
  '/warehouses': ({ id }) => `/warehouses/${id}/locations?limit=100`,
  '/inventory/levels?sortBy=createdAt': undefined,
  '/inventory/levels?asOf=2026-01-01T00:00:00Z&sortBy=createdAt': undefined,
  '/inventory/movements': undefined,
  '/orders': ({ id }) => `/orders/${id}`,
  '/orders?fulfillmentStatus=confirmed': ({ id }) => `/orders/${id}/allocations`,
  '/return-orders': ({ id }) => `/return-orders/${id}`,
  '/suppliers': ({ id }) => `/suppliers/${id}/products`,
  '/purchase-orders': ({ id }) => `/purchase-orders/${id}`,
  '/carrier-accounts': ({ id }) => `/carrier-accounts/${id}/rate-cards`,
  '/shipping-quotes': ({ id }) => `/shipping-quotes/${id}`,
  '/shipments': ({ id }) => `/shipments/${id}`,
  '/manifests': ({ id }) => `/manifests/${id}`,
  '/webhook-endpoints': ({ id }) => `/webhook-endpoints/${id}/deliveries`,
  '/events': undefined,
  '/clients': undefined,
};

/** Address -> answer. */
export async function shownBy(request: Request): Promise<Record<string, Json>> {
  const shown: Record<string, Json> = {};
  const read = async (path: string) => {
    const { status, text, body } = await request('GET', path);
    assert.equal(status, 200, `${path}: ${text}`);
    shown[path] = body;
    return body;
  };
  for (const [list, recordOf] of Object.entries(lists)) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `${list}${list.includes('?') ? '&' : '?'}limit=100`;
      const body = await read(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
      for (const record of body.data) if (recordOf !== undefined) await read(recordOf(record));
      cursor = body.nextCursor;
    }
  }
  await read('/organization');
  return shown;
}
