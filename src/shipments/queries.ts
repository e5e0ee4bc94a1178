// SQL of shipments as they are listed, read and made.
import { type Executor, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import type { Organizations } from '../database/tenant.ts';
import type { Write } from '../http/api.ts';
import type { Links } from '../http/document-links.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import { shipmentJson } from './present.ts';
import type { ListShipmentsQuery, shipmentSorts } from './schema.ts';
import {
  countShipments,
  datedConditions,
  partsOf,
  recountShipment,
  stateConditions,
} from './shipment-count.ts';

const sorts: Record<(typeof shipmentSorts)[number], Sort> = {
  createdAt: { column: column('s.created_at'), type: 'timestamptz' },
  updatedAt: { column: column('s.updated_at'), type: 'timestamptz' },
};

/** Of one organisation, or, for a parent that asks for its children's too, of several. */
export function listShipments(
  database: Executor,
  links: Links,
  organizations: Organizations,
  query: ListShipmentsQuery,
): Promise<Page> {
  const where = datedConditions(organizations, query);
  const parts = partsOf(organizations, query);
  if (query.search !== undefined) {
    where.push(...stateConditions(query), sql`s.search_text like ${searchPattern(query.search)}`);
  }
  const count = query.search === undefined ? countShipments(organizations, query) : undefined;
  return listPage(database, [organizations].flat().join(' '), query, {
    name: 'listShipments',
    alias: 's',
    from: sql`shipments s`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: shipmentJson(organizations, links),
    parts,
    ...(count === undefined ? {} : { count }),
  });
}

export async function findShipment(
  database: Executor,
  links: Links,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${shipmentJson(organizationId, links)}::text as json, s.version from shipments s
    where s.organization_id = ${organizationId} and s.id = ${id}`);
  return found;
}

/** The shipment that has this reference, where it is not failed or voided, and the request that made it. */
export async function findByReference(
  database: Executor,
  organizationId: string,
  reference: string,
): Promise<{ id: string; fingerprint: Buffer } | undefined> {
  const [row] = await database.query<{ id: string; fingerprint: Buffer }>(sql`
    select id, fingerprint from shipments
    where organization_id = ${organizationId} and reference = ${reference}
      and purchase_status <> 'failed' and void_status is distinct from 'voided'`);
  return row;
}

/** Of the request that made it. */
export async function readFingerprint(write: Write, id: string): Promise<Buffer | undefined> {
  const [row] = await write.transaction.query<{ fingerprint: Buffer }>(sql`
    select fingerprint from shipments where organization_id = ${write.scope.organizationId} and id = ${id}`);
  return row?.fingerprint;
}

export interface NewPackage {
  id: string;
  weight: number;
  weightUnit: string;
  dimensions: object | null;
  dimensionsUnit: string;
  lineItems: readonly object[];
}

export interface NewShipment {
  id: string;
  orderId: string | null;
  warehouseId: string | null;
  fulfillmentId: string | null;
  returnOrderId: string | null;
  shippingQuoteId: string;
  shippingRateId: string;
  carrierAccountId: string;
  carrierCode: string;
  reference: string | null;
  fingerprint: Buffer;
  returnAddress: object;
  metadata: Record<string, string>;
  labelFormat: 'pdf' | 'zpl';
  zplDpi: 203 | 300;
  estDeliveryDate: Date | null;
  idempotent: { key: string; fingerprint: Buffer } | undefined;
  packages: readonly NewPackage[];
}

/** A purchase that is meant, and not begun. */
export function insertShipment(write: Write, shipment: NewShipment): void {
  const { organizationId } = write.scope;
  const s = shipment;
  write.transaction.send(sql`
    insert into shipments (organization_id, id, order_id, warehouse_id, fulfillment_id, return_order_id,
      shipping_quote_id, shipping_rate_id, carrier_account_id, carrier_code, reference, fingerprint,
      return_address, metadata, label_format, zpl_dpi, est_delivery_date, idempotency_key,
      idempotency_fingerprint, purchase_status, next_attempt_at, created_at, updated_at)
    values (${organizationId}, ${s.id}, ${s.orderId}, ${s.warehouseId}, ${s.fulfillmentId}, ${s.returnOrderId},
      ${s.shippingQuoteId}, ${s.shippingRateId}, ${s.carrierAccountId}, ${s.carrierCode}, ${s.reference},
      ${s.fingerprint}, ${JSON.stringify(s.returnAddress)}, ${s.metadata}, ${s.labelFormat}, ${s.zplDpi},
      ${s.estDeliveryDate}, ${s.idempotent?.key ?? null}, ${s.idempotent?.fingerprint ?? null}, 'pending',
      ${write.now}, ${write.now}, ${write.now})`);
  const { packages } = s;
  write.transaction.send(sql`
    insert into shipment_packages (organization_id, shipment_id, id, position, weight, weight_unit, dimensions,
      dimensions_unit, line_items)
    select ${organizationId}, ${s.id}, p.*
    from unnest(${packages.map(({ id }) => id)}::uuid[], ${packages.map((_, position) => position)}::int[],
      ${packages.map(({ weight }) => weight)}::numeric[], ${packages.map((p) => p.weightUnit)}::text[],
      ${packages.map((p) => p.dimensions && JSON.stringify(p.dimensions))}::json[],
      ${packages.map((p) => p.dimensionsUnit)}::text[],
      ${packages.map((p) => JSON.stringify(p.lineItems))}::json[]) p`);
  recountShipment(write, undefined, {
    createdAt: write.now,
    purchaseStatus: 'pending',
    trackerStatus: 'unknown',
    carrierCode: s.carrierCode,
  });
}
