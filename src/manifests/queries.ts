// Every SQL statement about manifests, and the record as PostgreSQL builds it.
import { carrierAccountSummary } from '../carrier-accounts/present.ts';
import { type Database, type Executor, type Sql, sql } from '../database/connect.ts';
import { column, jsonObject, time } from '../database/json.ts';
import type { Write } from '../http/api.ts';
import { inDateRange } from '../http/date-range.ts';
import type { Links } from '../http/document-links.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import type { LabelContent } from '../labels/content.ts';
import type { ListManifestsQuery, manifestSorts } from './schema.ts';

/** Over an alias `m`. */
function manifestJson(organizationId: string, links: Links): Sql<unknown> {
  const address = links.address('manifests', {
    organizationId: sql`m.organization_id::text`,
    id: sql`m.id::text`,
    extension: sql`'pdf'`,
  });
  return jsonObject({
    id: column('m.id'),
    organizationId: column('m.organization_id'),
    carrierAccount: sql`(
      select ${carrierAccountSummary('a')} from carrier_accounts a
      where a.organization_id = ${organizationId} and a.id = m.carrier_account_id)`,
    status: column('m.status'),
    acceptanceCode: column('m.acceptance_code'),
    shipmentCount: column('m.shipment_count'),
    documentUrl: sql`case when m.status = 'closed' then ${address} end`,
    createdAt: time('m.created_at'),
    updatedAt: time('m.updated_at'),
  });
}

const sorts: Record<(typeof manifestSorts)[number], Sort> = {
  createdAt: { column: column('m.created_at'), type: 'timestamptz' },
  updatedAt: { column: column('m.updated_at'), type: 'timestamptz' },
};

export function listManifests(
  database: Executor,
  links: Links,
  organizationId: string,
  query: ListManifestsQuery,
): Promise<Page> {
  const where = [sql`m.organization_id = ${organizationId}`, ...inDateRange(column('m.created_at'), query)];
  if (query.carrierAccountId !== undefined) where.push(sql`m.carrier_account_id = ${query.carrierAccountId}`);
  if (query.search !== undefined)
    where.push(sql`lower(m.acceptance_code) like ${searchPattern(query.search)}`);
  return listPage(database, organizationId, query, {
    name: 'listManifests',
    alias: 'm',
    from: sql`manifests m`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: manifestJson(organizationId, links),
  });
}

export async function findManifest(
  database: Executor,
  links: Links,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${manifestJson(organizationId, links)}::text as json, m.version from manifests m
    where m.organization_id = ${organizationId} and m.id = ${id}`);
  return found;
}

/** The account's parcels that can be handed over, locked: these, or all that were bought in a span of time. */
export async function lockOpenParcels(
  write: Write,
  carrierAccountId: string,
  chosen: { ids: readonly string[] } | { from: Date | null; to: Date | null },
  limit: number,
): Promise<string[]> {
  const which =
    'ids' in chosen
      ? sql`id = any(${chosen.ids}::uuid[])`
      : sql`(${chosen.from}::timestamptz is null or purchased_at >= ${chosen.from})
          and (${chosen.to}::timestamptz is null or purchased_at < ${chosen.to})`;
  const rows = await write.transaction.query<{ id: string }>(sql`
    select id from shipments
    where organization_id = ${write.scope.organizationId} and carrier_account_id = ${carrierAccountId}
      and purchase_status = 'purchased' and manifest_id is null and void_status is null
      and void_requested_at is null and ${which}
    order by purchased_at, id limit ${limit} for update`);
  return rows.map(({ id }) => id);
}

export interface NewManifest {
  id: string;
  carrierAccountId: string;
  acceptanceCode: string;
  shipmentIds: readonly string[];
  /** Null: it is closed at once. Otherwise the carrier closes it, and nobody else asks until then. */
  claimedUntil: Date | null;
}

export function insertManifest(write: Write, manifest: NewManifest): void {
  const { organizationId } = write.scope;
  const { id, carrierAccountId, acceptanceCode, shipmentIds, claimedUntil } = manifest;
  write.transaction.send(sql`
    insert into manifests (organization_id, id, carrier_account_id, shipment_count, acceptance_code, status,
      claimed_until, created_at, updated_at)
    values (${organizationId}, ${id}, ${carrierAccountId}, ${shipmentIds.length}, ${acceptanceCode},
      ${claimedUntil === null ? 'closed' : 'pending'}, ${claimedUntil}, ${write.now}, ${write.now})`);
  write.transaction.send(sql`
    update shipments set manifest_id = ${id}, version = version + 1, updated_at = ${write.now}
    where organization_id = ${organizationId} and id = any(${shipmentIds}::uuid[])`);
}

export interface PendingManifest {
  carrierAccountId: string;
  claimedUntil: Date | null;
}

/** The row, locked until the transaction ends; undefined once it is closed or has failed. */
export async function lockPending(write: Write, id: string): Promise<PendingManifest | undefined> {
  const [row] = await write.transaction.query<PendingManifest>(sql`
    select carrier_account_id as "carrierAccountId", claimed_until as "claimedUntil" from manifests
    where organization_id = ${write.scope.organizationId} and id = ${id} and status = 'pending' for update`);
  return row;
}

export function claimManifest(write: Write, id: string, until: Date | null): void {
  write.transaction.send(sql`
    update manifests set claimed_until = ${until}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

export function closeManifest(
  write: Write,
  id: string,
  { carrierReference, document }: { carrierReference: string; document: Uint8Array },
): void {
  write.transaction.send(sql`
    update manifests set status = 'closed', carrier_reference = ${carrierReference}, document = ${document},
      claimed_until = null, version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${id}`);
}

/** Its parcels are on none again. */
export function failManifest(write: Write, id: string, failure: object): void {
  const { organizationId } = write.scope;
  write.transaction.send(sql`
    update manifests set status = 'failed', failure = ${JSON.stringify(failure)}, claimed_until = null,
      version = version + 1, updated_at = ${write.now}
    where organization_id = ${organizationId} and id = ${id}`);
  write.transaction.send(sql`
    update shipments set manifest_id = null, version = version + 1, updated_at = ${write.now}
    where organization_id = ${organizationId} and manifest_id = ${id}`);
}

export async function findShipmentsOf(
  database: Executor,
  organizationId: string,
  manifestId: string,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from shipments where organization_id = ${organizationId} and manifest_id = ${manifestId} order by id`);
  return rows.map(({ id }) => id);
}

/** Manifests that somebody began to close and nobody works on, over all organisations. */
export function findDueManifests(
  database: Database,
  now: Date,
  limit: number,
): Promise<{ organizationId: string; id: string }[]> {
  return database.query(sql`
    select organization_id as "organizationId", id from manifests
    where status = 'pending' and claimed_until <= ${now} order by claimed_until limit ${limit}`);
}

export interface ManifestRow {
  acceptanceCode: string;
  createdAt: Date;
  accountDescription: string;
  document: Buffer | null;
}

export async function readManifest(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<ManifestRow | undefined> {
  const [row] = await database.query<ManifestRow>(sql`
    select m.acceptance_code as "acceptanceCode", m.created_at as "createdAt", m.document,
      a.description as "accountDescription"
    from manifests m
    join carrier_accounts a on a.organization_id = ${organizationId} and a.id = m.carrier_account_id
    where m.organization_id = ${organizationId} and m.id = ${id} and m.status = 'closed'`);
  return row;
}

/** What the labels say of the parcels on a manifest, in the order in which they were bought. */
export async function readParcels(
  database: Executor,
  organizationId: string,
  manifestId: string,
): Promise<LabelContent[]> {
  const rows = await database.query<{ content: LabelContent }>(sql`
    select p.label_content as content
    from shipments s
    join shipment_packages p on p.organization_id = ${organizationId} and p.shipment_id = s.id
    where s.organization_id = ${organizationId} and s.manifest_id = ${manifestId}
      and p.label_content is not null
    order by s.purchased_at, s.id, p.position`);
  return rows.map(({ content }) => content);
}
