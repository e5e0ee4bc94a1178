// The states of an order and the moves between them: pure.
import { ApiError } from '../errors.ts';
import type { FinancialStatus, FulfillmentStatus } from './schema.ts';

/** Moves a caller may ask for. `on-hold` is left by release; fulfilment computes the last two. */
const fulfillmentMoves: Record<FulfillmentStatus, readonly FulfillmentStatus[]> = {
  scheduled: ['open', 'confirmed', 'on-hold'],
  open: ['scheduled', 'confirmed', 'on-hold'],
  confirmed: ['open', 'on-hold'],
  'on-hold': [],
  'partially-fulfilled': ['on-hold'],
  fulfilled: [],
};

const financialMoves: Record<FinancialStatus, readonly FinancialStatus[]> = {
  pending: ['authorized', 'paid', 'partially-paid', 'voided', 'expired'],
  authorized: ['paid', 'partially-paid', 'voided', 'expired'],
  'partially-paid': ['paid', 'partially-refunded', 'refunded', 'voided'],
  paid: ['partially-refunded', 'refunded'],
  'partially-refunded': ['refunded'],
  refunded: [],
  expired: ['pending', 'authorized', 'voided'],
  voided: [],
};

/** Where an order may be moved; a hold gives back the status before it. */
export function allowedMoves(order: {
  fulfillmentStatus: FulfillmentStatus;
  statusBeforeHold: FulfillmentStatus | null;
}): readonly FulfillmentStatus[] {
  const { fulfillmentStatus: from, statusBeforeHold } = order;
  return from === 'on-hold' ? [statusBeforeHold ?? 'open'] : fulfillmentMoves[from];
}

/** @throws 409 invalid_transition */
export function requireFulfillmentMove(
  order: Parameters<typeof allowedMoves>[0],
  to: FulfillmentStatus,
): void {
  requireMove('fulfillmentStatus', order.fulfillmentStatus, to, allowedMoves(order));
}

/** @throws 409 invalid_transition */
export function requireFinancialMove(from: FinancialStatus, to: FinancialStatus): void {
  requireMove('financialStatus', from, to, financialMoves[from]);
}

function requireMove(field: string, from: string, to: string, allowed: readonly string[]): void {
  if (from === to || allowed.includes(to)) return;
  throw invalidTransition(from, to, allowed, `${field} cannot go from ${from} to ${to}`);
}

export function invalidTransition(
  from: string,
  to: string,
  allowed: readonly string[],
  message: string,
): ApiError {
  return new ApiError('invalid_transition', { message, details: { from, to, allowed } });
}

/** Whether an order in this state takes stock for what it has not got. */
export function takesStock(order: {
  financialStatus: FinancialStatus;
  fulfillmentStatus: FulfillmentStatus;
}): boolean {
  const { financialStatus, fulfillmentStatus } = order;
  return (
    !releasesStock(financialStatus) &&
    ['open', 'confirmed', 'partially-fulfilled'].includes(fulfillmentStatus)
  );
}

/** Payment that will not come gives back what was held for it. */
export function releasesStock(financialStatus: FinancialStatus): boolean {
  return financialStatus === 'voided' || financialStatus === 'expired';
}

interface LineProgress {
  quantity: number;
  quantityFulfilled: number;
  quantityCancelled: number;
}

/** What the lines make of an order that units have left, or come back to. */
export function statusOf(
  lines: readonly LineProgress[],
  beforeFulfillment: FulfillmentStatus | null,
): FulfillmentStatus {
  const done = lines.every((line) => line.quantityFulfilled + line.quantityCancelled === line.quantity);
  if (done) return 'fulfilled';
  const fulfilled = lines.some((line) => line.quantityFulfilled > 0);
  return fulfilled ? 'partially-fulfilled' : (beforeFulfillment ?? 'open');
}

/** Whether anything has left; also of an order that arrived as history. */
export function isShipped(order: {
  fulfillmentStatus: FulfillmentStatus;
  lines: readonly LineProgress[];
}): boolean {
  if (order.fulfillmentStatus === 'fulfilled' || order.fulfillmentStatus === 'partially-fulfilled')
    return true;
  return order.lines.some((line) => line.quantityFulfilled > 0);
}
