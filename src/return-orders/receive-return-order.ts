// Takes back what has come of a return order: stock, by what became of it, and the lines that nobody expected.
import type { Requirement } from '../allocation/allocate.ts';
import { newId } from '../database/ids.ts';
import { ApiError, type ErrorCode, type Issue, invalid, notFound } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { changeStock, type StockChange } from '../inventory/stock.ts';
import { requirementsOf } from '../orders/new-order.ts';
import { invalidTransition } from '../orders/states.ts';
import { changeOfOrder } from './announce.ts';
import { exceededIssue, linesMeant, meaningIssue, namesVariant, takeUnits } from './open-lines.ts';
import {
  findReturnOrder,
  insertReturnLines,
  lockReturnOrder,
  type NewReturnLine,
  updateReturnOrder,
} from './queries.ts';
import { type ReturnLine, readReturnLines, storeReceipts } from './queries-lines.ts';
import { findPlaces, type Place } from './receiving-places.ts';
import { findReturnedVariants } from './returned-variants.ts';
import type { ReceiveReturnOrderBody } from './schema.ts';

type Inputs = ReceiveReturnOrderBody['lineItems'];

/** Units that an input (by its index) says came back of a line. */
interface Came {
  index: number;
  line: { id: string; productVariantId: string; requirements: readonly Requirement[] };
  quantity: number;
}

/**
 * The return order is locked first: nobody who holds stock or an order goes on to lock a return order, so that
 * whoever waits for one holds nothing that its owner needs.
 * @throws 404, 412, 400; 409 invalid_transition, quantity_exceeded, archived
 */
export async function receiveReturnOrder(
  write: Write,
  id: string,
  body: ReceiveReturnOrderBody,
): Promise<Found> {
  const { organizationId } = write.scope;
  const row = await lockReturnOrder(write, id);
  if (row === undefined) throw notFound('return order');
  requireVersion(write, row.version);
  const { status, orderId } = row;
  if (status === 'cancelled' || status === 'closed') {
    throw invalidTransition(status, 'received', [], `The return order is ${status}`);
  }
  const [before, lines, { places, issues }] = await Promise.all([
    findReturnOrder(write.transaction, organizationId, id),
    readReturnLines(write, id),
    findPlaces(write, body),
  ]);
  const { came, unexpected } = takeBack(lines, body.lineItems, orderId === null, issues);
  const added = await addLines(write, body.lineItems, unexpected);
  const all = [...came, ...added.came];
  requireOwnLots(all, body.lineItems);
  await bringIn(write, id, all, places, body.lineItems);
  await changeOfOrder(write, orderId, () => {
    insertReturnLines(write, id, lines.length, added.lines);
    storeReceipts(
      write,
      all.map(({ index, line, quantity }) => ({
        returnLineId: line.id,
        quantity,
        disposition: body.lineItems[index]!.disposition,
        warehouseLocationId: places[index]?.warehouseLocationId ?? null,
      })),
    );
    const complete = lines.every(({ open }) => open === 0);
    const skus = added.lines.map(({ sku }) => sku);
    updateReturnOrder(write, id, complete ? 'received' : status, skus);
  });
  const found = (await findReturnOrder(write.transaction, organizationId, id))!;
  const event = { type: 'return_order.received', objectId: id, object: found.json } as const;
  appendEvent(write, { ...event, previous: before!.json });
  return found;
}

interface Unexpected {
  index: number;
  quantity: number;
}

/** Takes the inputs' units from what is open. A blind return expects nothing, so it takes what is not open too. */
function takeBack(
  lines: readonly ReturnLine[],
  inputs: Inputs,
  blind: boolean,
  issues: Issue[],
): { came: Came[]; unexpected: Unexpected[] } {
  const came: Came[] = [];
  const unexpected: Unexpected[] = [];
  const exceeded: Issue[] = [];
  for (const [index, input] of inputs.entries()) {
    const path = `/lineItems/${index}`;
    const meant = linesMeant(input, lines);
    const surprise = blind && input.lineItemId == null && namesVariant(input);
    const issue = surprise && meant.length === 0 ? undefined : meaningIssue(input, meant, path);
    if (issue !== undefined) {
      issues.push(issue);
      continue;
    }
    const { taken, missing } = takeUnits(input, meant);
    came.push(...taken.map(({ line, quantity }) => ({ index, line, quantity })));
    if (missing === 0) continue;
    if (surprise) unexpected.push({ index, quantity: missing });
    else exceeded.push(exceededIssue(path, input.quantity, missing, meant));
  }
  if (issues.length > 0) throw invalid(issues);
  if (exceeded.length > 0) throw new ApiError('quantity_exceeded', { issues: exceeded });
  return { came, unexpected };
}

/** One new line for each variant that came unexpected. */
async function addLines(
  write: Write,
  inputs: Inputs,
  unexpected: readonly Unexpected[],
): Promise<{ lines: NewReturnLine[]; came: Came[] }> {
  if (unexpected.length === 0) return { lines: [], came: [] };
  const variants = await findReturnedVariants(
    write,
    unexpected.map(({ index }) => inputs[index]!),
    unexpected.map(({ index }) => `/lineItems/${index}`),
  );
  const lines = new Map<string, NewReturnLine>();
  const came = unexpected.map(({ index, quantity }, n) => {
    const { id, sku } = variants[n]!;
    const line = lines.get(id) ?? {
      id: newId(),
      orderLineItemId: null,
      productVariantId: id,
      sku,
      quantity: 0,
    };
    line.quantity += quantity;
    lines.set(id, line);
    const requirements = requirementsOf(variants[n]!);
    return { index, quantity, line: { id: line.id, productVariantId: id, requirements } };
  });
  return { lines: [...lines.values()], came };
}

/** @throws 400 naming every line of a bundle that names a lot */
function requireOwnLots(came: readonly Came[], inputs: Inputs): void {
  const indexes = came
    .filter(({ index }) => inputs[index]!.lotNumber != null || inputs[index]!.expirationDate != null)
    .filter(({ line }) => line.requirements.some((r) => r.productVariantId !== line.productVariantId))
    .map(({ index }) => index);
  const message = 'is of a bundle, whose components have lots of their own';
  const issues = [...new Set(indexes)].map((index): Issue => {
    const field = inputs[index]!.lotNumber != null ? 'lotNumber' : 'expirationDate';
    return { path: `/lineItems/${index}/${field}`, code: 'not_allowed', message };
  });
  if (issues.length > 0) throw invalid(issues);
}

/** Bundles come in as their components; what holds no stock, and what is discarded, does not come in at all. */
async function bringIn(
  write: Write,
  returnOrderId: string,
  came: readonly Came[],
  places: readonly (Place | null)[],
  inputs: Inputs,
): Promise<void> {
  const changes: StockChange[] = [];
  const origins: number[] = [];
  for (const { index, line, quantity } of came) {
    const place = places[index];
    const { disposition, lotNumber = null, expirationDate } = inputs[index]!;
    if (place == null || disposition === 'discard') continue;
    for (const { productVariantId, quantityPerUnit } of line.requirements) {
      origins.push(index);
      changes.push({
        warehouseId: place.warehouseId,
        productVariantId,
        fromWarehouseLocationId: null,
        toWarehouseLocationId: place.warehouseLocationId,
        quantity: quantity * quantityPerUnit,
        lotNumber,
        expirationDate: expirationDate == null ? null : new Date(expirationDate),
        reason: 'return',
        referenceType: 'return-order',
        referenceId: returnOrderId,
      });
    }
  }
  if (changes.length === 0) return;
  try {
    await changeStock(write, changes);
  } catch (error) {
    const index = error instanceof ApiError ? (error.details?.['index'] as number | undefined) : undefined;
    if (!(error instanceof ApiError) || index === undefined) throw error;
    const { code, message, issues: [issue] = [] } = error;
    const path = `/lineItems/${origins[index]}`;
    throw new ApiError(code as ErrorCode, {
      message,
      issues: [{ path, code: issue?.code ?? code, message: issue?.message ?? message }],
    });
  }
}
