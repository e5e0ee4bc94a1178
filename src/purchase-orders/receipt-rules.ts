// What may be received for a purchase order, judged under its lock. Pure.
import { ApiError, type Issue, invalid } from '../errors.ts';
import * as limits from '../limits.ts';
import { allowedMoves } from './change-status.ts';
import type { StoredLine } from './line-queries.ts';
import type { PurchaseOrderRow } from './queries.ts';
import { type Arrival, nothing, type Parts, sumsOf } from './receipt-lines.ts';
import type { PurchaseOrderStatus } from './schema.ts';

/** @throws 409 invalid_transition before it is confirmed, and once it is cancelled */
export function requireReceivable({ status: from }: PurchaseOrderRow): void {
  if (from === 'confirmed' || from === 'partially-received' || from === 'received') return;
  throw new ApiError('invalid_transition', {
    message: `Nothing can be received for a purchase order that is ${from}`,
    details: { from, to: 'partially-received', allowed: allowedMoves(from) },
  });
}

/** @throws 400 naming every location that is none of the warehouse's, or of another type than its units need */
export function requireLocations(arrivals: readonly Arrival[], types: ReadonlyMap<string, string>): void {
  const issues = arrivals.flatMap(({ path, quantity, locations }) =>
    Object.entries(locations).flatMap(([field, id]): Issue[] => {
      const type = types.get(id);
      const at = `${path}/${field}`;
      if (type === undefined)
        return [{ path: at, code: 'not_found', message: 'is no location of the warehouse' }];
      // What is taken back may lie anywhere by now.
      if (quantity < 0 || suits[field]!(type)) return [];
      return [{ path: at, code: 'not_allowed', message: `is a location of type ${type}` }];
    }),
  );
  if (issues.length > 0) throw invalid(issues);
}

const suits: Record<string, (type: string) => boolean> = {
  warehouseLocationId: (type) => type !== 'damaged' && type !== 'quality-control',
  damagedLocationId: (type) => type === 'damaged',
  qualityControlLocationId: (type) => type === 'quality-control',
};

/**
 * A receipt's lines are summed before they are judged.
 * @param received what earlier receipts brought of each line
 * @throws 409 quantity_exceeded, over_receipt, naming every line
 */
export function requireWithinOrder(
  order: PurchaseOrderRow,
  arrivals: readonly Arrival[],
  received: ReadonlyMap<string, Parts>,
  allowOverReceipt: boolean,
): void {
  const sums = sumsOf(arrivals, ({ id }) => received.get(id) ?? nothing);
  const issuesOf = (code: string, judge: (line: StoredLine, sum: Parts) => string | undefined) =>
    arrivals.flatMap(({ line, path }): Issue[] => {
      const message = judge(line, sums.get(line.id)!);
      return message === undefined ? [] : [{ path: `${path}/quantity`, code, message }];
    });
  const taken = issuesOf('quantity_exceeded', (_, sum) => takenTooMany(sum));
  if (taken.length > 0) throw new ApiError('quantity_exceeded', { issues: taken });
  const tooMany = issuesOf('out_of_range', (_, { quantity }) =>
    quantity > limits.levelQuantityMax
      ? `would come to more than ${limits.levelQuantityMax} units`
      : undefined,
  );
  if (tooMany.length > 0) throw invalid(tooMany);
  if (allowOverReceipt) return;
  const over = issuesOf('over_receipt', (line, { quantity }) => {
    const due = stillToCome(order, line);
    return quantity - line.receivedQuantity > due ? `is more than the ${due} units still to come` : undefined;
  });
  if (over.length > 0) throw new ApiError('over_receipt', { issues: over });
}

/** Of a closed order nothing is; of a line that was over-received already neither. */
function stillToCome({ closedAt }: PurchaseOrderRow, line: StoredLine): number {
  return closedAt === null ? Math.max(0, line.requestedQuantity - line.receivedQuantity) : 0;
}

/** Corrections take back at most what came: of sound units, damaged ones, and ones in quality control. */
function takenTooMany({ quantity, damagedQuantity, qualityControlQuantity }: Parts): string | undefined {
  if (damagedQuantity < 0) return 'takes back more damaged units than were received';
  if (qualityControlQuantity < 0) return 'takes back more quality-control units than were received';
  const sound = quantity - damagedQuantity - qualityControlQuantity;
  return sound < 0 ? 'takes back more units than were received' : undefined;
}

/** What the order is once its lines have received so much. A correction leads back. */
export function statusOf(order: PurchaseOrderRow, lines: readonly StoredLine[]): PurchaseOrderStatus {
  if (order.closedAt !== null) return 'received';
  if (lines.every((line) => line.receivedQuantity >= line.requestedQuantity)) return 'received';
  return lines.some((line) => line.receivedQuantity > 0) ? 'partially-received' : 'confirmed';
}
