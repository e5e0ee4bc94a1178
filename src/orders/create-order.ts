// Creates a sales order: finds its variants, takes stock for its lines, and tells of it, in one transaction.
import { allocateOrder } from '../allocation/allocate-order.ts';
import { storeLevels } from '../allocation/levels.ts';
import { storeAllocations } from '../allocation/queries.ts';
import { holdUnarchived } from '../allocation/sources.ts';
import { type Database, Retry } from '../database/connect.ts';
import { takeName } from '../document-name.ts';
import { ApiError, type Issue, invalid } from '../errors.ts';
import { appendEvents, type NewEvent } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { levelEvents } from '../inventory/stock-events.ts';
import { findLineVariants } from '../products/variant-lookup.ts';
import { announceReturnOrder } from '../return-orders/announce.ts';
import { insertReturnOrder } from '../return-orders/queries.ts';
import {
  demandOf,
  isHistory,
  type NewLine,
  type NewOrder,
  newLines,
  newOrder,
  requireReferences,
} from './new-order.ts';
import { newReturnOrder } from './new-return-order.ts';
import { checkReferences, findOrder, insertLines, insertOrder } from './queries.ts';
import type { CreateOrderBody } from './schema.ts';
import { takesStock } from './states.ts';

export interface OrderNames {
  name: string;
  returnOrderName: string | null;
}

/** Takes the names that the order will have; before its transaction opens. */
export async function takeOrderNames(
  database: Database,
  organizationId: string,
  body: CreateOrderBody,
): Promise<OrderNames> {
  const { returnOrder } = body;
  return {
    name: await takeName(database, organizationId, 'order', body.name),
    returnOrderName:
      returnOrder == null
        ? null
        : await takeName(database, organizationId, 'return-order', returnOrder.name ?? 'RET-'),
  };
}

/**
 * @throws 400 unknown_variant, ambiguous_variant, variant_archived, invalid_parameters;
 *   409 alias_taken, insufficient_stock (only with `inventoryBehaviour: "obey_policy"`)
 */
export async function createOrder(write: Write, body: CreateOrderBody, names: OrderNames): Promise<Found> {
  requireReferences(body);
  const [matches] = await Promise.all([
    findLineVariants(write.transaction, write.scope.organizationId, body.lineItems),
    requireRecords(write, body),
  ]);
  const lines = newLines(body, matches);
  const order = newOrder(write, body, names.name, lines);
  const returnOrder = newReturnOrder(body.returnOrder, names.returnOrderName, lines);

  const allocates = takesStock(order) && !isHistory(order.fulfillmentStatus);
  const allocated = allocates ? await takeStock(write, order, lines, body.inventoryBehaviour) : undefined;
  if (!allocates && order.warehouseId !== null && !(await holdUnarchived(write, order.warehouseId)))
    throw new Retry();
  insertOrder(write, order);
  insertLines(write, order, lines);
  allocated?.store();
  if (returnOrder !== undefined) insertReturnOrder(write, order, returnOrder);

  const found = (await findOrder(write.transaction, write.scope.organizationId, order.id))!;
  appendEvents(write, [
    { type: 'order.created', objectId: order.id, object: found.json },
    ...(allocated?.events() ?? []),
  ]);
  if (returnOrder !== undefined) await announceReturnOrder(write, returnOrder.id);
  return found;
}

/** @throws 400 naming an unknown customer or warehouse, 409 alias_taken */
async function requireRecords(write: Write, body: CreateOrderBody): Promise<void> {
  const { customerId = null, warehouseId = null, uniqueAlias } = body;
  const alias = uniqueAlias ? (body.alias ?? null) : null;
  if (customerId === null && warehouseId === null && alias === null) return;
  const known = await checkReferences(write, { customerId, warehouseId, alias });
  const issues: Issue[] = [];
  if (customerId !== null && !known.customer) {
    issues.push({ path: '/customerId', code: 'not_found', message: 'is no customer' });
  }
  if (warehouseId !== null && !known.warehouse) {
    issues.push({ path: '/warehouseId', code: 'not_found', message: 'is no warehouse' });
  }
  if (issues.length > 0) throw invalid(issues);
  if (known.aliasOrderId !== null) {
    throw new ApiError('alias_taken', { details: { orderId: known.aliasOrderId } });
  }
}

/** Allocates what there is and marks the rest as backordered, on the lines themselves. */
async function takeStock(
  write: Write,
  order: NewOrder,
  lines: readonly NewLine[],
  inventoryBehaviour: CreateOrderBody['inventoryBehaviour'],
): Promise<{ events(): NewEvent[]; store(): void }> {
  const demands = lines.map(demandOf);
  const { plan, levels, settlement } = await allocateOrder(write, demands, order.warehouseId);
  if (inventoryBehaviour === 'obey_policy') requireAll(lines, plan.short);
  for (const line of lines) {
    line.quantityBackordered = plan.short.get(line.id) ?? 0;
    line.quantityAllocated = line.quantity - line.quantityBackordered;
  }
  order.warehouseId ??= plan.warehouseId;
  order.readyToShip = lines.length > 0 && plan.short.size === 0;
  const requirements = new Map(demands.map((demand) => [demand.orderLineItemId, demand.requirements]));
  const changed = storeLevels(write, levels);
  return {
    events: () => levelEvents(write, changed, settlement),
    store: () =>
      storeAllocations(
        write,
        plan.allocations.map((allocation) => ({
          ...allocation,
          orderId: order.id,
          requirements: requirements.get(allocation.orderLineItemId)!,
          reason: 'allocated',
        })),
      ),
  };
}

/** @throws 409 insufficient_stock naming every line that is short */
function requireAll(lines: readonly NewLine[], short: ReadonlyMap<string, number>): void {
  if (short.size === 0) return;
  throw new ApiError('insufficient_stock', {
    issues: lines
      .filter((line) => short.has(line.id))
      .map((line) => ({
        path: `/lineItems/${line.position}`,
        code: 'insufficient_stock',
        message: `${short.get(line.id)} of ${line.quantity} units of ${line.variant.sku} are missing`,
      })),
  });
}
