// Stock arrives for a purchase order, in parts; a correction is a receipt of fewer than none.
import { newId } from '../database/ids.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { openPurchaseOrder, storeAndAnnounce } from './change-status.ts';
import { storeIncoming } from './incoming.ts';
import { readLines } from './line-queries.ts';
import { type Arrival, arrivalsOf, stockChangesOf, sumsOf } from './receipt-lines.ts';
import { addReceived, findReceipt, insertReceipt, readReceived } from './receipt-queries.ts';
import { requireLocations, requireReceivable, requireWithinOrder, statusOf } from './receipt-rules.ts';
import type { CreateReceiptBody } from './schema-receipts.ts';
import { findLocationTypes, findStandardLocations } from './warehouse-queries.ts';

/**
 * The order is locked first, so that of two receipts of one line the second sees the first. The stock is at its
 * locations, backorders are filled as every rise of stock fills them, and the units are no longer incoming when this
 * answers. The number of statements does not grow with the lines.
 * @throws 404, 412, 400, 409 invalid_transition, over_receipt, quantity_exceeded, insufficient_stock, archived
 */
export async function createReceipt(
  write: Write,
  purchaseOrderId: string,
  body: CreateReceiptBody,
): Promise<Found> {
  const opened = await openPurchaseOrder(write, purchaseOrderId);
  const { row } = opened;
  requireReceivable(row);
  const [lines, received, standard] = await Promise.all([
    readLines(write, purchaseOrderId),
    readReceived(write, purchaseOrderId),
    findStandardLocations(write, row.warehouseId),
  ]);
  const arrivals = arrivalsOf(body, lines, standard);
  requireLocations(arrivals, await findLocationTypes(write, row.warehouseId, locationIds(arrivals)));
  requireWithinOrder(row, arrivals, received, body.allowOverReceipt);

  const id = newId();
  const sums = sumsOf(arrivals);
  const after = lines.map((line) => ({
    ...line,
    receivedQuantity: line.receivedQuantity + (sums.get(line.id)?.quantity ?? 0),
  }));
  const order = { ...row, status: statusOf(row, after) };
  const changes = stockChangesOf(arrivals, row.warehouseId, id);
  await named(
    changes.map(({ path }) => path),
    () =>
      storeIncoming(
        write,
        { order: row, lines },
        { order, lines: after },
        changes.map(({ change }) => change),
      ),
  );
  insertReceipt(write, { id, purchaseOrderId, reference: body.reference ?? null }, arrivals);
  addReceived(write, sums);
  await storeAndAnnounce(write, opened, order, 'purchase_order.received');
  return (await findReceipt(write.transaction, write.scope.organizationId, id))!;
}

function locationIds(arrivals: readonly Arrival[]): string[] {
  return [...new Set(arrivals.flatMap(({ locations }) => Object.values(locations)))];
}

/** What is wrong with a change of stock is wrong with the receipt's line that it comes of. */
async function named(paths: readonly string[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const index = error instanceof ApiError ? (error.details?.['index'] as number | undefined) : undefined;
    if (!(error instanceof ApiError) || index === undefined) throw error;
    const { code, message, issues: [issue] = [] } = error;
    const path = `${paths[index]}/quantity`;
    throw new ApiError(code as ErrorCode, {
      message,
      issues: [{ path, code: issue?.code ?? code, message: issue?.message ?? message }],
    });
  }
}
