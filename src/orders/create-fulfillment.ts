// Units leave for an order without a label: allocations become picks, and the order's state follows.
import { newId } from '../database/ids.ts';
import { ApiError, type Issue, invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { type PickRequest, pickUnits } from '../inventory/pick-units.ts';
import { findBins, findFulfillment, insertFulfillment } from './fulfillment-queries.ts';
import { openQuantity } from './line-stock.ts';
import { findStrategies, type OpenOrder, type OrderLine, openOrder } from './open-order.ts';
import { applyProgress } from './progress.ts';
import type { CreateFulfillmentBody } from './schema-actions.ts';
import { allowedMoves, invalidTransition } from './states.ts';
import { storeOrder } from './store-order.ts';
import { heldAt, type Taken, takeAllocated, type Wanted } from './take-allocated.ts';

/** Where what was really picked lay: location -> warehouse. */
type Bins = ReadonlyMap<string, string>;

/** @throws 400, 404, 409 invalid_transition, quantity_exceeded, insufficient_stock */
export async function createFulfillment(
  write: Write,
  orderId: string,
  body: CreateFulfillmentBody,
): Promise<Found> {
  const id = await fulfil(write, orderId, body);
  return (await findFulfillment(write.transaction, write.scope.organizationId, orderId, id))!;
}

/** The same for whoever needs its id alone. */
export async function fulfil(write: Write, orderId: string, body: CreateFulfillmentBody): Promise<string> {
  const order = await openOrder(write, orderId);
  requireFulfillable(order);
  const bins = await findBins(write, pickedBins(body));
  const wanted = wantedUnits(order, body, bins);
  const taken = wanted.flatMap((one) => takeAllocated(order, one, body.warehouseId?.toLowerCase() ?? null));
  const companions = unshippedCompanions(order, body.warehouseId?.toLowerCase() ?? null);
  const all = [...taken, ...companions];
  if (all.length === 0)
    throw new ApiError('insufficient_stock', { message: 'Nothing is allocated that could leave' });

  const id = newId();
  const { picks, movements } = await pickAll(write, order, all, body, bins, id);
  const warehouseIds = new Set(all.map(({ warehouseId }) => warehouseId).filter((one) => one !== null));
  insertFulfillment(write, {
    id,
    orderId,
    warehouseId: warehouseIds.size === 1 ? [...warehouseIds][0]! : null,
    trackingCode: body.trackingCode ?? null,
    carrierCode: body.carrierCode ?? null,
    lineItems: all.map(({ line, warehouseId, quantity }) => ({ lineItemId: line.id, warehouseId, quantity })),
    picks,
  });
  if (body.trackingCode) order.searchText += `\n${body.trackingCode.toLowerCase()}`;
  applyProgress(order, write.now);
  await storeOrder(write, order, {
    event: order.fulfillmentStatus === 'fulfilled' ? 'order.fulfilled' : 'order.updated',
    reason: 'fulfilled',
    movements,
  });
  return id;
}

function requireFulfillable(order: OpenOrder): void {
  const { fulfillmentStatus: from, cancelledAt } = order;
  if (cancelledAt !== null) throw invalidTransition(from, 'fulfilled', [], 'The order is cancelled');
  if (['on-hold', 'scheduled', 'fulfilled'].includes(from)) {
    throw invalidTransition(
      from,
      'fulfilled',
      allowedMoves(order),
      `An order that is ${from} cannot be fulfilled`,
    );
  }
}

/** The lines and quantities asked for; all that is allocated when none are. */
function wantedUnits(order: OpenOrder, body: CreateFulfillmentBody, bins: Bins): Wanted[] {
  if (body.lineItems === undefined) {
    // Lines that are not shipped wait for the last line that is, where there is one.
    const shipped = order.lines.filter((line) => line.requiresShipping);
    return (shipped.length > 0 ? shipped : order.lines).map((line) => ({
      line,
      quantity:
        body.warehouseId == null ? line.quantityAllocated : heldAt(line, body.warehouseId.toLowerCase()),
      path: '',
    }));
  }
  const issues: Issue[] = [];
  const seen = new Set<string>();
  const wanted = body.lineItems.flatMap(({ lineItemId, quantity, picks }, index) => {
    const path = `/lineItems/${index}`;
    const line = order.lines.find(({ id }) => id === lineItemId.toLowerCase());
    if (line === undefined) {
      issues.push({ path: `${path}/lineItemId`, code: 'not_found', message: 'is no line of this order' });
      return [];
    }
    if (seen.has(line.id))
      issues.push({ path: `${path}/lineItemId`, code: 'duplicate', message: 'is named twice' });
    seen.add(line.id);
    if (picks === undefined) return [{ line, quantity, path }];
    const wrong = pickIssues(line, quantity, picks, path);
    const picked = wrong.length > 0 ? undefined : pickedUnits(line, picks, bins);
    if (picked === undefined && wrong.length === 0) wrong.push(brokenBundle(path));
    issues.push(...wrong);
    return [{ line, quantity, picked, path }];
  });
  if (issues.length > 0) throw invalid(issues);
  const exceeded = wanted.filter(({ line, quantity }) => quantity > openQuantity(line));
  if (exceeded.length > 0) {
    throw new ApiError('quantity_exceeded', {
      issues: exceeded.map(({ line, path }) => ({
        path: `${path}/quantity`,
        code: 'quantity_exceeded',
        message: `only ${openQuantity(line)} units of ${line.sku} are open`,
      })),
    });
  }
  return wanted;
}

type PickInputs = NonNullable<NonNullable<CreateFulfillmentBody['lineItems']>[number]['picks']>;

/** What was picked must be all that the line's units take, no more and no less. */
function pickIssues(line: OrderLine, quantity: number, picks: PickInputs, path: string): Issue[] {
  const units = new Map(line.requirements.map((r) => [r.productVariantId, r.quantityPerUnit * quantity]));
  const issues: Issue[] = [];
  for (const [index, pick] of picks.entries()) {
    const variantId = pickedVariant(line, pick);
    if (!units.has(variantId)) {
      const message = line.isBundle ? 'must name a component of the bundle' : 'is not what the line takes';
      issues.push({ path: `${path}/picks/${index}/productVariantId`, code: 'not_allowed', message });
    }
    units.set(variantId, (units.get(variantId) ?? 0) - pick.quantity);
  }
  if (issues.length === 0 && [...units.values()].some((left) => left !== 0)) {
    issues.push({
      path: `${path}/picks`,
      code: 'out_of_range',
      message: 'must add up to the units of the line',
    });
  }
  return issues;
}

function pickedVariant(line: OrderLine, pick: PickInputs[number]): string {
  return pick.productVariantId?.toLowerCase() ?? line.productVariantId;
}

function pickedBins({ lineItems = [] }: CreateFulfillmentBody): string[] {
  return lineItems.flatMap(({ picks = [] }) => picks.map((pick) => pick.warehouseLocationId.toLowerCase()));
}

/** Units of the line by warehouse; undefined where a bundle's components do not come from the same ones. */
function pickedUnits(line: OrderLine, picks: PickInputs, bins: Bins): Map<string, number> | undefined {
  const byWarehouse = Map.groupBy(picks, (pick) => bins.get(pick.warehouseLocationId.toLowerCase()) ?? '');
  const units = new Map<string, number>();
  for (const [warehouseId, own] of byWarehouse) {
    // A bin that there is not has no units: that is said of the pick.
    if (warehouseId === '') return new Map();
    const parts = line.requirements.map(({ productVariantId, quantityPerUnit }) => {
      const picked = own.filter((pick) => pickedVariant(line, pick) === productVariantId);
      return picked.reduce((sum, { quantity }) => sum + quantity, 0) / quantityPerUnit;
    });
    if (!Number.isInteger(parts[0]) || parts.some((part) => part !== parts[0])) return undefined;
    units.set(warehouseId, parts[0]!);
  }
  return units;
}

function brokenBundle(path: string): Issue {
  const message = 'must take whole bundles from each warehouse';
  return { path: `${path}/picks`, code: 'not_allowed', message };
}

/** Lines that are not shipped are done with the last line that is. */
function unshippedCompanions(order: OpenOrder, warehouseId: string | null): Taken[] {
  const shipped = order.lines.filter((line) => line.requiresShipping);
  if (shipped.length === 0 || shipped.some((line) => openQuantity(line) > 0)) return [];
  return order.lines
    .filter((line) => !line.requiresShipping)
    .flatMap((line) =>
      takeAllocated(
        order,
        { line, quantity: line.quantityAllocated, path: '' },
        line.requirements.length === 0 ? warehouseId : null,
      ),
    );
}

async function pickAll(
  write: Write,
  order: OpenOrder,
  taken: Taken[],
  body: CreateFulfillmentBody,
  bins: Bins,
  id: string,
) {
  const requests = taken.flatMap((one) => pickRequests(one, body, bins));
  const strategies = await findStrategies(write, [...new Set(requests.map((r) => r.productVariantId))]);
  return pickUnits(write, order.levels, requests, strategies, {
    reason: 'fulfillment',
    type: 'fulfillment',
    id,
  });
}

function pickRequests(
  { line, warehouseId, quantity }: Taken,
  body: CreateFulfillmentBody,
  bins: Bins,
): PickRequest[] {
  if (warehouseId === null) return [];
  const index = body.lineItems?.findIndex(({ lineItemId }) => lineItemId.toLowerCase() === line.id) ?? -1;
  const picks = body.lineItems?.[index]?.picks;
  const common = { orderLineItemId: line.id, warehouseId };
  if (picks === undefined) {
    return line.requirements.map(({ productVariantId, quantityPerUnit }) => ({
      ...common,
      productVariantId,
      quantity: quantity * quantityPerUnit,
      path: index < 0 ? '' : `/lineItems/${index}`,
    }));
  }
  return picks.flatMap((pick, number) => {
    const warehouseLocationId = pick.warehouseLocationId.toLowerCase();
    if ((bins.get(warehouseLocationId) ?? warehouseId) !== warehouseId) return [];
    return {
      ...common,
      productVariantId: pickedVariant(line, pick),
      quantity: pick.quantity,
      from: { warehouseLocationId, lotNumber: pick.lotNumber ?? null },
      path: `/lineItems/${index}/picks/${number}`,
    };
  });
}
