// Every SQL statement about quotes and their rates.
import type { CarrierRate, Customs } from '../carriers/carrier.ts';
import { type Executor, sql } from '../database/connect.ts';
import { column } from '../database/json.ts';
import type { Write } from '../http/api.ts';
import { spanOfDateRange } from '../http/date-range.ts';
import type { Found } from '../http/envelope.ts';
import { listPage, type Page, type Sort, searchPattern } from '../http/pagination.ts';
import type { Address } from '../http/schemas.ts';
import { recount } from '../http/totals.ts';
import * as limits from '../limits.ts';
import type { PreparedQuote, QuotePackage } from './prepare-quote.ts';
import { shippingQuoteJson } from './present.ts';
import { countedQuote, countQuotes, datedConditions, partsOf } from './quote-count.ts';
import type { ListShippingQuotesQuery, quoteSorts } from './schema.ts';
import type { ReturnAddress } from './schema-parts.ts';

const sorts: Record<(typeof quoteSorts)[number], Sort> = {
  createdAt: { column: column('q.created_at'), type: 'timestamptz' },
  updatedAt: { column: column('q.updated_at'), type: 'timestamptz' },
  shippingDate: { column: column('q.shipping_date'), type: 'timestamptz' },
};

export function listShippingQuotes(
  database: Executor,
  organizationId: string,
  query: ListShippingQuotesQuery,
): Promise<Page> {
  const where = datedConditions(organizationId, spanOfDateRange(query));
  const parts = partsOf(organizationId, query);
  if (query.search !== undefined) {
    where.push(sql`q.search_text like ${searchPattern(query.search)}`);
    if (query.hasShipment === true) where.push(sql`q.shipment_id is not null`);
    if (query.hasShipment === false) where.push(sql`q.shipment_id is null`);
  }
  const count = countQuotes(organizationId, query);
  return listPage(database, organizationId, query, {
    name: 'listShippingQuotes',
    alias: 'q',
    from: sql`shipping_quotes q`,
    where,
    sorts,
    defaultSort: 'createdAt',
    json: shippingQuoteJson(organizationId),
    parts,
    ...(count === undefined ? {} : { count }),
  });
}

export async function findShippingQuote(
  database: Executor,
  organizationId: string,
  id: string,
): Promise<Found | undefined> {
  const [found] = await database.query<Found>(sql`
    select ${shippingQuoteJson(organizationId)}::text as json, q.version from shipping_quotes q
    where q.organization_id = ${organizationId} and q.id = ${id}`);
  return found;
}

const hourMs = 3_600_000;

/** Stores a quote with its rates; with a shipment, one that is bought already. */
export function insertQuote(write: Write, quote: PreparedQuote, shipmentId: string | null = null): void {
  const { transaction, now, scope } = write;
  const { name, company, city, postalCode } = quote.shipTo;
  const searchText = [name, company, city, postalCode].map((part) => part ?? '').join('\n');
  transaction.send(sql`
    insert into shipping_quotes (organization_id, id, order_id, ship_to_address, ship_from_address,
      return_address, shipping_date, packages, customs_input, insurance_request, messages, expires_at,
      shipment_id, metadata, search_text, created_at, updated_at)
    values (${scope.organizationId}, ${quote.id}, ${quote.orderId}, ${json(quote.shipTo)}, ${json(quote.shipFrom)},
      ${json(quote.returnAddress)}, ${quote.shippingDate}, ${json(quote.packages)}, ${json(quote.customs)},
      ${json(quote.insurance)}, ${json(quote.messages)},
      ${new Date(now.getTime() + limits.quoteHours * hourMs)}, ${shipmentId}, ${json(quote.metadata)},
      ${searchText.toLowerCase()}, ${now}, ${now})`);
  insertRates(write, quote);
  recount(write, 'shipping-quote', undefined, countedQuote({ createdAt: now, shipmentId }));
}

function insertRates({ transaction, scope }: Write, { id, rates }: PreparedQuote): void {
  if (rates.length === 0) return;
  const all = <T>(pick: (rate: PreparedQuote['rates'][number]) => T): T[] => rates.map(pick);
  transaction.send(sql`
    insert into shipping_rates (organization_id, shipping_quote_id, position, id, carrier_account_id,
      service_code, service_name, rate_total, rate_surcharges, compare_at_rate, currency, est_delivery_days,
      est_delivery_date, delivery_date_guaranteed, message, carrier_reference)
    select ${scope.organizationId}, ${id}, r.*
    from unnest(${rates.map((_, index) => index)}::int[], ${all((r) => r.id)}::uuid[],
      ${all((r) => r.account.id)}::uuid[], ${all((r) => r.serviceCode)}::text[],
      ${all((r) => r.serviceName)}::text[], ${all((r) => r.rateTotal)}::numeric[],
      ${all((r) => r.rateSurcharges)}::numeric[], ${all((r) => r.compareAtRate)}::numeric[],
      ${all((r) => r.currency)}::text[], ${all((r) => r.estDeliveryDays)}::int[],
      ${all((r) => r.estDeliveryDate)}::timestamptz[], ${all((r) => r.deliveryDateGuaranteed)}::bool[],
      ${all((r) => r.message)}::text[], ${all((r) => r.carrierReference)}::text[]) r`);
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

export interface QuoteRow {
  id: string;
  orderId: string | null;
  shipTo: Address;
  shipFrom: Address;
  returnAddress: ReturnAddress | null;
  shippingDate: Date;
  packages: QuotePackage[];
  customs: Customs | null;
  insurance: { amount: number; currency: string } | null;
  expiresAt: Date;
  shipmentId: string | null;
  createdAt: Date;
}

/** The row, locked until the transaction ends. */
export async function lockQuote(write: Write, id: string): Promise<QuoteRow | undefined> {
  const [row] = await write.transaction.query<QuoteRow>(sql`
    select id, order_id as "orderId", ship_to_address as "shipTo", ship_from_address as "shipFrom",
      return_address as "returnAddress", shipping_date as "shippingDate", packages, customs_input as customs,
      insurance_request as insurance, expires_at as "expiresAt", shipment_id as "shipmentId",
      created_at as "createdAt"
    from shipping_quotes
    where organization_id = ${write.scope.organizationId} and id = ${id} for no key update`);
  return row;
}

export interface StoredRate extends CarrierRate {
  id: string;
  carrierAccountId: string;
}

export async function findRate(
  database: Executor,
  organizationId: string,
  quoteId: string,
  id: string,
): Promise<StoredRate | undefined> {
  const [rate] = await database.query<StoredRate>(sql`
    select id, carrier_account_id as "carrierAccountId", service_code as "serviceCode",
      service_name as "serviceName", rate_total::text as "rateTotal",
      rate_surcharges::text as "rateSurcharges", compare_at_rate::text as "compareAtRate", currency,
      est_delivery_days as "estDeliveryDays", est_delivery_date as "estDeliveryDate",
      delivery_date_guaranteed as "deliveryDateGuaranteed", message, carrier_reference as "carrierReference"
    from shipping_rates
    where organization_id = ${organizationId} and shipping_quote_id = ${quoteId} and id = ${id}`);
  return rate;
}

/** Says which shipment a locked quote was bought with; null once that one has failed. */
export function setQuoteShipment(
  write: Write,
  quote: Pick<QuoteRow, 'id' | 'shipmentId' | 'createdAt'>,
  shipmentId: string | null,
): void {
  write.transaction.send(sql`
    update shipping_quotes set shipment_id = ${shipmentId}, version = version + 1, updated_at = ${write.now}
    where organization_id = ${write.scope.organizationId} and id = ${quote.id}`);
  recount(write, 'shipping-quote', countedQuote(quote), countedQuote({ ...quote, shipmentId }));
}
