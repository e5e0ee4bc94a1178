// The intent to buy a label: stock, quote, shipment and key commit together, before any carrier is called.

import { createHash } from 'node:crypto';
import pg from 'pg';
import type { CarrierKind } from '../carriers/carrier.ts';
import type { Carriers } from '../carriers/carriers.ts';
import { constraintOf } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { ApiError, type Issue, invalid } from '../errors.ts';
import type { Steps, Write } from '../http/api.ts';
import type { Reply } from '../http/envelope.ts';
import { claim, findStored, keepIntent, type Stored } from '../http/idempotency.ts';
import type { Address } from '../http/schemas.ts';
import { writeOf } from '../http/write.ts';
import { unprintable } from '../labels/printable.ts';
import { fulfil } from '../orders/create-fulfillment.ts';
import { findByReference, insertShipment, type NewPackage } from './queries.ts';
import type { BuyShippingQuoteBody, CreateShipmentBody } from './schema.ts';

type LineInputs = NonNullable<BuyShippingQuoteBody['lineItems']>;

/** The same for two requests that ask for the same. */
export function fingerprintOf(...asked: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(asked)).digest();
}

/** What there is already for this request: an answer that was kept, or a shipment to go on with. */
export type Begun = { stored: Reply } | { id: string };

/** @throws 409 reference_taken, 422 idempotency_key_reused */
export async function findBegun(
  { database, scope, idempotent }: Steps,
  reference: string | null | undefined,
  fingerprint: Buffer,
): Promise<Begun | undefined> {
  const stored = idempotent === undefined ? undefined : await findStored(database, idempotent);
  if (stored !== undefined) return begunOf(stored);
  if (reference == null) return undefined;
  const existing = await findByReference(database, scope.organizationId, reference);
  if (existing === undefined) return undefined;
  if (existing.fingerprint.equals(fingerprint)) return { id: existing.id };
  throw new ApiError('reference_taken', { details: { shipmentId: existing.id } });
}

function begunOf(stored: Stored): Begun {
  return stored.intent === undefined ? { stored } : { id: stored.intent };
}

/**
 * Commits what `insert` makes of the intent, under the request's key. Where another request with the same key or reference
 * was quicker, what that one has begun.
 * @throws 409 idempotency_key_in_use, reference_taken
 */
export async function begin(
  steps: Steps,
  reference: string | null | undefined,
  fingerprint: Buffer,
  insert: (write: Write, id: string) => Promise<Begun | undefined>,
): Promise<Begun> {
  const { database, scope, idempotent } = steps;
  try {
    return await database.transaction(async (transaction): Promise<Begun> => {
      const stored = idempotent === undefined ? undefined : await claim(transaction, idempotent);
      if (stored !== undefined) return begunOf(stored);
      const id = newId();
      const write = writeOf(transaction, scope);
      const begun = await insert(write, id);
      if (begun !== undefined) return begun;
      if (idempotent !== undefined) keepIntent(transaction, idempotent, id);
      return { id };
    });
  } catch (error) {
    const lost = error instanceof pg.DatabaseError && constraintOf(error) === 'shipments_reference_key';
    const begun = lost ? await findBegun(steps, reference, fingerprint) : undefined;
    if (begun === undefined) throw error;
    return begun;
  }
}

export interface Intent {
  orderId: string | null;
  returnOrderId: string | null;
  shippingQuoteId: string;
  shipTo: Address;
  shipFrom: Address;
  returnAddress: object;
  packages: readonly Omit<NewPackage, 'id' | 'lineItems'>[];
  rate: { id: string; estDeliveryDate: Date | null };
  account: { id: string; kind: CarrierKind; carrierCode: string };
  body: Pick<
    BuyShippingQuoteBody,
    'labelFormat' | 'zplDpi' | 'reference' | 'warehouseId' | 'metadata' | 'lineItems'
  >;
  lineItems: readonly (LineInputs | undefined)[];
  fingerprint: Buffer;
}

/** Fulfils what is in the parcels, and inserts the shipment. The quote is inserted between the two, by `quote`. */
export async function insertIntent(
  write: Write,
  { idempotent }: Steps,
  id: string,
  intent: Intent,
  quote: () => void,
): Promise<void> {
  const { orderId, body, account, rate, lineItems } = intent;
  const fulfillmentId = await fulfilPacked(write, intent);
  quote();
  insertShipment(write, {
    id,
    fulfillmentId,
    ...{ orderId, returnOrderId: intent.returnOrderId, shippingQuoteId: intent.shippingQuoteId },
    warehouseId: body.warehouseId?.toLowerCase() ?? null,
    shippingRateId: rate.id,
    estDeliveryDate: rate.estDeliveryDate,
    ...{ carrierAccountId: account.id, carrierCode: account.carrierCode, fingerprint: intent.fingerprint },
    reference: body.reference ?? null,
    returnAddress: intent.returnAddress,
    metadata: body.metadata ?? {},
    ...{ labelFormat: body.labelFormat, zplDpi: body.zplDpi, idempotent },
    // Ids of its own: a quote whose purchase failed is bought again.
    packages: intent.packages.map((one, index) => ({
      ...one,
      id: newId(),
      lineItems: lineItems[index] ?? [],
    })),
  });
}

/** One fulfilment for all parcels; issues point to where a line was named. */
async function fulfilPacked(write: Write, { orderId, lineItems, body }: Intent): Promise<string | null> {
  const named = lineItems.flatMap((lines, parcel) =>
    (lines ?? []).map((line, index) => ({
      line,
      path: body.lineItems === undefined ? `/packages/${parcel}/lineItems/${index}` : `/lineItems/${index}`,
    })),
  );
  if (orderId === null || named.length === 0) return null;
  const byLine = Map.groupBy(named, ({ line }) => line.lineItemId.toLowerCase());
  const merged = [...byLine.values()].map((parts) => ({
    line: mergedLine(parts.map(({ line }) => line)),
    path: parts[0]!.path,
  }));
  try {
    return await fulfil(write, orderId, {
      lineItems: merged.map(({ line }) => line),
      warehouseId: body.warehouseId ?? null,
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.issues === undefined) throw error;
    const issues = error.issues.map((issue) => ({ ...issue, path: originalPath(issue.path, merged) }));
    throw error.withIssues(issues);
  }
}

/** Units of one line that are in several parcels leave together; picks are said of all of them or of none. */
function mergedLine(parts: LineInputs): LineInputs[number] {
  const quantity = parts.reduce((sum, part) => sum + part.quantity, 0);
  const picks = parts.every((part) => part.picks !== undefined)
    ? parts.flatMap((part) => part.picks!)
    : undefined;
  return { ...parts[0]!, quantity, ...(picks === undefined ? {} : { picks }) };
}

function originalPath(path: string, merged: readonly { path: string }[]): string {
  const [, index, rest] = /^\/lineItems\/(\d+)(.*)$/.exec(path) ?? [];
  return index === undefined ? path : `${merged[Number(index)]!.path}${rest}`;
}

/**
 * What of the order is in each parcel.
 * @throws 400 where lines are named without an order, twice, or for nobody knows which parcel
 */
export function packedLines(
  body: Pick<CreateShipmentBody, 'lineItems'> & { packages?: readonly { lineItems?: LineInputs }[] },
  orderId: string | null,
  parcels: number,
): (LineInputs | undefined)[] {
  const issues: Issue[] = [];
  const inPackages = body.packages?.map(({ lineItems }) => lineItems) ?? [];
  const within = inPackages.findIndex((lines) => lines !== undefined);
  if (body.lineItems !== undefined && within >= 0) {
    issues.push({ path: '/lineItems', code: 'not_allowed', message: 'are said of each package already' });
  }
  if (body.lineItems !== undefined && parcels > 1) {
    issues.push({
      path: '/lineItems',
      code: 'not_allowed',
      message: 'must be said of each of several packages',
    });
  }
  if (orderId === null && (body.lineItems !== undefined || within >= 0)) {
    issues.push({ path: '/orderId', code: 'required', message: 'is needed for line items' });
  }
  const mixed = mixedPicks(inPackages);
  if (mixed !== undefined) issues.push(mixed);
  if (issues.length > 0) throw invalid(issues);
  return body.lineItems === undefined ? inPackages : [body.lineItems];
}

function mixedPicks(packages: readonly (LineInputs | undefined)[]): Issue | undefined {
  const said = new Map<string, boolean>();
  for (const [parcel, lines] of packages.entries()) {
    for (const [index, { lineItemId, picks }] of (lines ?? []).entries()) {
      const id = lineItemId.toLowerCase();
      if (said.has(id) && said.get(id) !== (picks !== undefined)) {
        const path = `/packages/${parcel}/lineItems/${index}/picks`;
        return { path, code: 'required', message: 'must be said of a line in every package or in none' };
      }
      said.set(id, picks !== undefined);
    }
  }
  return undefined;
}

/** @throws 400 unprintable for what a label that is drawn here could not carry */
export function requirePrintable(
  carriers: Carriers,
  kind: CarrierKind,
  texts: Record<string, unknown>,
): void {
  if (!carriers[kind].drawsLabels) return;
  const found = unprintable(texts);
  if (found.length === 0) return;
  throw new ApiError('unprintable', {
    issues: found.map(({ path, characters }) => ({
      path,
      code: 'unprintable',
      message: `cannot be printed: ${characters}`,
    })),
  });
}
