// Changes what the body names of an order; stock follows its quantities, states and pin.
import { address } from '../address.ts';
import { holdUnarchived } from '../allocation/sources.ts';
import { ApiError, type Issue, invalid } from '../errors.ts';
import type { EventType } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import * as limits from '../limits.ts';
import { money } from '../money.ts';
import { newNote, newTag } from '../notes.ts';
import { moveFulfillmentStatus, requireNotCancelled } from './change-status.ts';
import { openQuantity, releaseAll, resize } from './line-stock.ts';
import { insuranceRequest, shipMethod } from './new-order.ts';
import { type OpenOrder, openOrder } from './open-order.ts';
import { applyProgress } from './progress.ts';
import { checkReferences } from './queries.ts';
import type { FulfillmentStatus } from './schema.ts';
import type { UpdateOrderBody } from './schema-actions.ts';
import { invalidTransition, releasesStock, requireFinancialMove, takesStock } from './states.ts';
import { storeOrder, updateLineDates } from './store-order.ts';
import { takeMissing } from './take-missing.ts';

/** @throws 400, 404, 412, 409 invalid_transition, quantity_exceeded */
export async function updateOrder(write: Write, id: string, body: UpdateOrderBody): Promise<Found> {
  const order = await openOrder(write, id);
  await requireKnown(write, order, body);
  const tookStock = takesStock(order);
  const before = order.fulfillmentStatus;
  changeFields(order, body);
  if (body.orderDate !== undefined) updateLineDates(write, id, order.orderDate);
  changeNotes(write, order, body);
  changeStates(order, body);
  changeQuantities(order, body, write.now);
  await changeStock(write, order, body, tookStock);
  return storeOrder(write, order, { event: eventOf(order, body, before), reason: 'released' });
}

function eventOf(order: OpenOrder, body: UpdateOrderBody, before: FulfillmentStatus): EventType {
  const { fulfillmentStatus: status } = order;
  if (status === 'fulfilled' && before !== 'fulfilled') return 'order.fulfilled';
  return status === 'on-hold' && body.fulfillmentStatus === 'on-hold' ? 'order.held' : 'order.updated';
}

/** @throws 400 naming every record that does not exist */
async function requireKnown(write: Write, order: OpenOrder, body: UpdateOrderBody): Promise<void> {
  const { customerId = null, warehouseId = null } = body;
  const issues: Issue[] = [];
  if (customerId !== null || warehouseId !== null) {
    const known = await checkReferences(write, { customerId, warehouseId: null, alias: null });
    if (customerId !== null && !known.customer) {
      issues.push({ path: '/customerId', code: 'not_found', message: 'is no customer' });
    }
    if (warehouseId !== null && !(await holdUnarchived(write, warehouseId))) {
      issues.push({ path: '/warehouseId', code: 'not_found', message: 'is no warehouse' });
    }
  }
  for (const [index, noteId] of (body.removedNoteIds ?? []).entries()) {
    if (order.notes.some((note) => note.id === noteId.toLowerCase())) continue;
    issues.push({ path: `/removedNoteIds/${index}`, code: 'not_found', message: 'is no note of this order' });
  }
  const seen = new Set<string>();
  for (const [index, { id }] of (body.lineItems ?? []).entries()) {
    const path = `/lineItems/${index}/id`;
    if (!order.lines.some((line) => line.id === id.toLowerCase())) {
      issues.push({ path, code: 'not_found', message: 'is no line of this order' });
    }
    if (seen.has(id)) issues.push({ path, code: 'duplicate', message: 'is named twice' });
    seen.add(id);
  }
  if (issues.length > 0) throw invalid(issues);
}

function changeFields(order: OpenOrder, body: UpdateOrderBody): void {
  if (body.alias !== undefined) {
    const lines = order.searchText.split('\n').filter((text) => text !== order.alias?.toLowerCase());
    order.searchText = [...lines, body.alias?.toLowerCase() ?? ''].join('\n');
    order.alias = body.alias;
  }
  if (body.price !== undefined) order.price = money(body.price);
  if (body.compareAtPrice !== undefined) {
    order.compareAtPrice = body.compareAtPrice === null ? null : money(body.compareAtPrice);
  }
  if (body.orderDate !== undefined) order.orderDate = new Date(body.orderDate);
  if (body.targetDeliveryDate !== undefined) {
    order.targetDeliveryDate = body.targetDeliveryDate === null ? null : new Date(body.targetDeliveryDate);
  }
  if (body.shipToAddress !== undefined) {
    order.shipToAddress = body.shipToAddress === null ? null : address(body.shipToAddress);
  }
  if (body.shipMethod !== undefined) order.shipMethod = shipMethod(body.shipMethod);
  if (body.insuranceRequest !== undefined) order.insuranceRequest = insuranceRequest(body.insuranceRequest);
  if (body.customerId !== undefined) order.customerId = body.customerId;
  if (body.metadata !== undefined) order.metadata = body.metadata;
}

function changeNotes(write: Write, order: OpenOrder, body: UpdateOrderBody): void {
  if (body.tags !== undefined) order.tags = body.tags.map((tag) => newTag(write.scope.organizationId, tag));
  const removed = new Set((body.removedNoteIds ?? []).map((id) => id.toLowerCase()));
  const added = (body.notes ?? []).map((content) => newNote(write, content));
  order.notes = [...order.notes.filter((note) => !removed.has(note.id)), ...added];
  if (order.notes.length > limits.notesMax) {
    throw invalid([
      { path: '/notes', code: 'too_many', message: `would make more than ${limits.notesMax} notes` },
    ]);
  }
}

function changeStates(order: OpenOrder, body: UpdateOrderBody): void {
  if (body.financialStatus !== undefined) {
    requireFinancialMove(order.financialStatus, body.financialStatus);
    order.financialStatus = body.financialStatus;
  }
  if (body.fulfillmentStatus !== undefined) moveFulfillmentStatus(order, body.fulfillmentStatus);
}

/** @throws 409 quantity_exceeded naming every line that would fall below what has left or was cancelled */
function changeQuantities(order: OpenOrder, body: UpdateOrderBody, now: Date): void {
  if (body.lineItems === undefined) return;
  requireNotCancelled(order, 'updated');
  if (order.fulfillmentStatus === 'fulfilled') {
    throw invalidTransition('fulfilled', 'updated', [], 'Every line of the order is fulfilled');
  }
  const issues: Issue[] = [];
  for (const [index, { id, quantity }] of body.lineItems.entries()) {
    const line = order.lines.find((one) => one.id === id.toLowerCase())!;
    const least = line.quantityFulfilled + line.quantityCancelled;
    if (quantity >= least) resize(line, order.levels, quantity);
    else {
      const message = `${least} units are fulfilled or cancelled already`;
      issues.push({ path: `/lineItems/${index}/quantity`, code: 'quantity_exceeded', message });
    }
  }
  if (issues.length > 0) throw new ApiError('quantity_exceeded', { issues });
  // Where something has left, a smaller quantity may be all that was still open.
  if (order.lines.some((line) => line.quantityFulfilled > 0)) applyProgress(order, now);
}

/** Gives back what the order may no longer hold, and takes what it still needs. */
async function changeStock(
  write: Write,
  order: OpenOrder,
  body: UpdateOrderBody,
  tookStock: boolean,
): Promise<void> {
  const pin = body.warehouseId === undefined ? order.warehouseId : (body.warehouseId?.toLowerCase() ?? null);
  const moved = pin !== order.warehouseId;
  order.warehouseId = pin;
  if (releasesStock(order.financialStatus)) return releaseAll(order);
  if (order.cancelledAt !== null || !takesStock(order)) return;
  const missing = order.lines.some(
    (line) => openQuantity(line) > line.quantityAllocated + line.quantityBackordered,
  );
  if (moved || missing || !tookStock) await takeMissing(write, order);
}
