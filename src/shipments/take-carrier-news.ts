// What a carrier posts by itself: proved by its signature, then taken as a scan, or as a reason to ask the carrier.

import type { FastifyInstance } from 'fastify';
import { systemScope } from '../auth/scope.ts';
import { loadCarrierAccounts } from '../carrier-accounts/load-carrier-accounts.ts';
import { type CarrierAccount, CarrierError } from '../carriers/carrier.ts';
import { isSigned, type News, readWebhook } from '../carriers/easypost/webhook.ts';
import { findFamily } from '../database/children.ts';
import { sql } from '../database/connect.ts';
import { isId } from '../database/ids.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import { ApiError, notFound } from '../errors.ts';
import { writeOf } from '../http/write.ts';
import * as limits from '../limits.ts';
import type { ShippingAccess } from './access.ts';
import { recordTracking } from './create-tracking-events.ts';

/**
 * `POST /carrier-webhooks/<organization>/<carrier account>`: the address that an EasyPost webhook is given. It takes no key:
 * 401 unless the body is signed with the account's `webhookSecret`.
 */
export function carrierNewsRoute(app: FastifyInstance, access: ShippingAccess): void {
  app.register(async (scoped) => {
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scoped.post(
      '/carrier-webhooks/:organizationId/:carrierAccountId',
      { schema: { hide: true } },
      async (request) => {
        const { organizationId, carrierAccountId } = request.params as Record<string, string>;
        const signature = request.headers['x-hmac-signature'];
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        await takeNews(access, organizationId!, carrierAccountId!, body, [signature].flat()[0]);
        return { status: 'taken' };
      },
    );
  });
}

async function takeNews(
  access: ShippingAccess,
  organizationId: string,
  accountId: string,
  body: Buffer,
  signature: string | undefined,
): Promise<void> {
  const { database, secrets } = access;
  if (!isId(organizationId) || !isId(accountId)) throw notFound('carrier account');
  const [account] = await loadCarrierAccounts(database, secrets, organizationId, { ids: [accountId] });
  const owned = account?.kind === 'easypost' && account.ownerOrganizationId === organizationId.toLowerCase();
  if (!owned || !isSigned(body, signature, account.credentials['webhookSecret'] ?? '')) {
    throw new ApiError('unauthorized', { message: 'No account takes a body with this signature here' });
  }
  const news = understood(account, body);
  if (news === undefined) return;
  const organizations = await findFamily(database, organizationId);
  for (const parcel of await findParcels(access, organizations, accountId, news.trackingCode)) {
    await take(access, parcel, news);
  }
}

/** @throws 400 for what is signed and cannot be understood */
function understood(account: CarrierAccount, body: Buffer): News | undefined {
  try {
    return readWebhook(account, body);
  } catch (error) {
    if (error instanceof CarrierError) throw new ApiError('invalid_json', { message: error.message });
    throw error;
  }
}

interface Parcel {
  organizationId: string;
  id: string;
  packages: number;
}

/** Through a shared account also a child's. A carrier uses a number again after some months: the latest counts. */
function findParcels(
  { database }: ShippingAccess,
  organizations: Organizations,
  accountId: string,
  trackingCode: string,
): Promise<Parcel[]> {
  return database.query<Parcel>(sql`
    select s.organization_id as "organizationId", s.id, (
      select count(*)::int from shipment_packages p
      where ${owned('p', organizations, 's')} and p.shipment_id = s.id) as packages
    from shipments s
    where ${owned('s', organizations)} and s.carrier_account_id = ${accountId}
      and s.purchase_status = 'purchased'
      and s.search_text like ${`%${trackingCode.toLowerCase().replaceAll(/[%_\\]/g, '\\$&')}%`}
    order by s.created_at desc limit 1`);
}

async function take(
  access: ShippingAccess,
  { organizationId, id, packages }: Parcel,
  news: News,
): Promise<void> {
  const { database, links } = access;
  const now = new Date();
  if (news.about === 'refund') {
    await database.query(sql`
      update shipments set next_attempt_at = ${now}
      where organization_id = ${organizationId} and id = ${id} and void_status = 'submitted'`);
  } else if (packages > 1) {
    // One parcel of several says nothing about the others.
    await database.query(sql`
      update shipments set next_track_at = ${now}
      where organization_id = ${organizationId} and id = ${id} and void_status is null`);
  } else {
    await database.transaction((transaction) => {
      const write = writeOf(transaction, systemScope(organizationId), now);
      return recordTracking(write, links, id, news.tracked, limits.easypostTrackMs);
    });
  }
}
