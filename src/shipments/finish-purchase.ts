// Answers a request for a label: carries its purchase on, or waits for whoever is at it, and says what came of it.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Executor, sql } from '../database/connect.ts';
import { ApiError, type ErrorCode, notFound } from '../errors.ts';
import type { Steps } from '../http/api.ts';
import { single } from '../http/envelope.ts';
import type { Sent } from '../http/write.ts';
import * as limits from '../limits.ts';
import type { ShippingAccess } from './access.ts';
import type { Begun } from './begin-purchase.ts';
import { carryOn } from './purchase.ts';
import type { Failure } from './purchase-queries.ts';
import { findShipment } from './queries.ts';

const pollMs = 100;

/** @throws 409 idempotency_key_in_use, purchase_running; 502 and 504 of the carrier, with the shipment's id */
export async function answerPurchase(access: ShippingAccess, steps: Steps, begun: Begun): Promise<Sent> {
  if ('stored' in begun) return { ...begun.stored, replayed: true };
  const { scope, idempotent, database } = steps;
  const until = performance.now() + limits.purchaseWaitMs;
  let progress = await carryOn(access, scope, begun.id);
  while (progress === 'busy' && performance.now() < until) {
    if (idempotent !== undefined) throw new ApiError('idempotency_key_in_use');
    await sleep(pollMs);
    progress = (await isDecided(database, scope.organizationId, begun.id))
      ? 'decided'
      : await carryOn(access, scope, begun.id);
  }
  if (progress === 'busy') throw new ApiError('purchase_running', { details: { shipmentId: begun.id } });
  return answerOf(access, steps, begun.id);
}

async function answerOf(access: ShippingAccess, { database, scope }: Steps, id: string): Promise<Sent> {
  const { organizationId } = scope;
  const [state] = await database.query<{ purchaseStatus: string; failure: Failure | null }>(sql`
    select purchase_status as "purchaseStatus", failure from shipments
    where organization_id = ${organizationId} and id = ${id}`);
  if (state === undefined) throw notFound('shipment');
  if (state.purchaseStatus === 'purchased') {
    return single('shipment', (await findShipment(database, access.links, organizationId, id))!);
  }
  const { purchaseStatus, failure } = state;
  const { code, message, carrierErrorCode = null, carrierMessage = null } = failure ?? unanswered;
  const details = { source: 'carrier', shipmentId: id, purchaseStatus, carrierErrorCode, carrierMessage };
  throw new ApiError(code as ErrorCode, { message, details });
}

const unanswered: Failure = {
  code: 'carrier_timeout',
  message: 'The carrier has not answered yet',
  carrierErrorCode: null,
  carrierMessage: null,
};

async function isDecided(database: Executor, organizationId: string, id: string): Promise<boolean> {
  const rows = await database.query(sql`
    select 1 from shipments
    where organization_id = ${organizationId} and id = ${id} and purchase_status in ('purchased', 'failed')`);
  return rows.length > 0;
}
