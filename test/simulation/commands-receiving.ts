// Commands that receive stock for purchase orders, too much of it as well, and that take it back.
import fc from 'fast-check';
import {
  type Asked,
  type Command,
  choosePurchaseOrder,
  command,
  nth,
  partyWith,
  type Seen,
  unitsAt,
} from './command.ts';
import type { Place } from './facts.ts';
import {
  type Arrival,
  dueUnits,
  isOnItsWay,
  type PurchaseLine,
  type PurchaseOrder,
  placedParts,
  receivedByLine,
} from './facts-purchasing.ts';
import { farAway } from './world.ts';

const n = fc.nat(999);
const units = fc.integer({ min: 1, max: 5 });

const part = fc.record({
  line: n,
  quantity: units,
  /** All that is still to come: two that receive so at the same time cannot both be right. */
  all: fc.integer({ min: 0, max: 2 }).map((chance) => chance === 2),
  damaged: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: units }),
  qualityControl: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: units }),
  /** The n-th location for sound units; null leaves it to the service. */
  place: fc.option(n),
  lot: fc.option(fc.constantFrom('L1', 'L2')),
  expires: fc.constantFrom('never', 'never', 'far', 'past'),
});
type Part = typeof part extends fc.Arbitrary<infer Data> ? Data : never;

/** A line of a request, as the API takes it. */
interface ReceiptLine {
  lineItemId: string;
  quantity: number;
  damagedQuantity?: number;
  qualityControlQuantity?: number;
  warehouseLocationId?: string;
  damagedLocationId?: string;
  qualityControlLocationId?: string;
  lotNumber?: string | null;
  expirationDate?: string | null;
}

const isReceivable = (order: PurchaseOrder) => isOnItsWay(order) || order.status === 'received';

const receive = command({
  name: 'receive purchase order',
  weight: 14,
  ofStock: true,
  data: fc.record({
    order: n,
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    /** As much as is still to come; more; more, which is allowed. */
    over: fc.oneof(
      { weight: 6, arbitrary: fc.constant('never' as const) },
      { weight: 1, arbitrary: fc.constant('refused' as const) },
      { weight: 1, arbitrary: fc.constant('allowed' as const) },
    ),
  }),
  ask: ({ order: which, parts, over }, seen): Asked | undefined => {
    const order = choosePurchaseOrder(seen, which, isOnItsWay);
    if (order === undefined) return undefined;
    const due = new Map(order.lines.map((line) => [line.id, dueUnits(order, line)]));
    const lineItems = parts.map((one) => {
      const waiting = order.lines.filter(({ id }) => due.get(id)! > 0);
      const line = nth(waiting.length > 0 ? waiting : order.lines, one.line)!;
      const quantity = quantityOf(due.get(line.id)!, one, over !== 'never');
      due.set(line.id, Math.max(0, due.get(line.id)! - quantity));
      return receiptLine(seen, order, one, quantity, line);
    });
    const allowOverReceipt = over === 'allowed';
    const must = outcomeOf(seen, order, lineItems, allowOverReceipt);
    return { ...receipt(seen, order, lineItems, must), body: bodyOf(seen, lineItems, allowOverReceipt) };
  },
});

function quantityOf(due: number, { all, quantity }: Part, over: boolean): number {
  if (over) return due + quantity;
  return Math.max(1, all ? due : Math.min(due, quantity));
}

function receiptLine(
  { facts }: Seen,
  { organizationId, warehouseId }: PurchaseOrder,
  { damaged, qualityControl, place, lot, expires }: Part,
  quantity: number,
  line: PurchaseLine,
): ReceiptLine {
  const damagedQuantity = Math.min(quantity, damaged);
  const fitting = facts.places.filter(
    (one) =>
      one.organizationId === organizationId &&
      one.warehouseId === warehouseId &&
      one.type !== 'damaged' &&
      one.type !== 'quality-control',
  );
  const location = place === null ? undefined : nth(fitting, place);
  return {
    lineItemId: line.id,
    quantity,
    damagedQuantity,
    qualityControlQuantity: Math.min(quantity - damagedQuantity, qualityControl),
    ...(location === undefined ? {} : { warehouseLocationId: location.id }),
    lotNumber: lot,
    ...(expires === 'never'
      ? {}
      : { expirationDate: expires === 'far' ? farAway[0]! : '2020-01-01T00:00:00Z' }),
  };
}

function bodyOf({ tag }: Seen, lineItems: readonly ReceiptLine[], allowOverReceipt = false) {
  return { reference: tag, lineItems, ...(allowOverReceipt ? { allowOverReceipt } : {}) };
}

function receipt(
  seen: Seen,
  order: PurchaseOrder,
  lineItems: readonly ReceiptLine[],
  must: string | undefined,
): Asked {
  return {
    party: partyWith(seen, order.organizationId),
    path: `/purchase-orders/${order.id}/receipts`,
    body: bodyOf(seen, lineItems),
    may: ['invalid_transition', 'over_receipt', 'quantity_exceeded', 'insufficient_stock', 'archived'],
    must,
    receipt: {
      reference: seen.tag,
      units: lineItems.reduce((sum, { quantity }) => sum + quantity, 0),
    },
  };
}

/** What must come of a receipt of units that arrive. */
function outcomeOf(
  seen: Seen,
  order: PurchaseOrder,
  lineItems: readonly ReceiptLine[],
  allowOverReceipt: boolean,
): string {
  if (!isReceivable(order)) return 'invalid_transition';
  const wanted = new Map<string, number>();
  for (const { lineItemId, quantity } of lineItems) {
    wanted.set(lineItemId, (wanted.get(lineItemId) ?? 0) + quantity);
  }
  const byId = new Map(order.lines.map((line) => [line.id, line]));
  const over = [...wanted].some(([id, quantity]) => quantity > dueUnits(order, byId.get(id)!));
  if (over && !allowOverReceipt) return 'over_receipt';
  const used = lineItems.filter(({ lineItemId }) => byId.get(lineItemId)!.holdsStock);
  const archived = used.flatMap((line) => placesOf(seen, order, line)).some((place) => place.archived);
  return archived ? 'archived' : 'ok';
}

/** The locations that its units go to. */
function placesOf({ facts }: Seen, order: PurchaseOrder, line: ReceiptLine): Place[] {
  const places = facts.places.filter(
    (one) => one.organizationId === order.organizationId && one.warehouseId === order.warehouseId,
  );
  const named = (name: string) => places.find((place) => place.name === name)!;
  const { damagedQuantity = 0, qualityControlQuantity = 0, warehouseLocationId } = line;
  const sound = places.find(({ id }) => id === warehouseLocationId) ?? named('RECEIVING');
  return [
    ...(line.quantity > damagedQuantity + qualityControlQuantity ? [sound] : []),
    ...(damagedQuantity > 0 ? [named('DAMAGED')] : []),
    ...(qualityControlQuantity > 0 ? [named('QC')] : []),
  ];
}

const takeBack = command({
  name: 'correct a receipt',
  weight: 5,
  ofStock: true,
  data: fc.record({
    arrival: n,
    /** Null is all of it. */
    quantity: fc.option(units, { freq: 2 }),
    /** Of what lot is not said. */
    anyLot: fc.boolean(),
    /** More than came. */
    much: fc.integer({ min: 0, max: 6 }).map((chance) => chance === 6),
  }),
  ask: ({ arrival: which, quantity, anyLot, much }, seen): Asked | undefined => {
    const arrival = nth(
      seen.facts.arrivals.filter((one) => one.quantity > 0),
      which,
    );
    if (arrival === undefined) return undefined;
    const order = seen.facts.purchaseOrders.find(({ id }) => id === arrival.purchaseOrderId)!;
    const lineItem = correction(arrival, (quantity ?? arrival.quantity) + (much ? 20 : 0), anyLot);
    return receipt(seen, order, [lineItem], outcomeOfCorrection(seen, order, arrival, lineItem));
  },
});

/** Damaged units of the arrival first, then those in quality control, then sound ones. */
function correction(arrival: Arrival, quantity: number, anyLot: boolean): ReceiptLine {
  const damaged = Math.min(quantity, arrival.damaged);
  const qualityControl = Math.min(quantity - damaged, arrival.qualityControl);
  const { lotNumber, expirationDate, damagedLocationId, qualityControlLocationId } = arrival;
  return {
    lineItemId: arrival.lineId,
    quantity: -quantity,
    damagedQuantity: -damaged,
    qualityControlQuantity: -qualityControl,
    warehouseLocationId: arrival.locationId,
    ...(damagedLocationId === null ? {} : { damagedLocationId }),
    ...(qualityControlLocationId === null ? {} : { qualityControlLocationId }),
    ...(anyLot ? {} : { lotNumber, expirationDate: expirationDate?.toISOString() ?? null }),
  };
}

function outcomeOfCorrection(
  { facts }: Seen,
  order: PurchaseOrder,
  arrival: Arrival,
  { quantity, damagedQuantity = 0, qualityControlQuantity = 0, lotNumber, expirationDate }: ReceiptLine,
): string {
  if (!isReceivable(order)) return 'invalid_transition';
  const line = order.lines.find(({ id }) => id === arrival.lineId)!;
  const came = receivedByLine(facts.arrivals).get(line.id)!;
  const sound = (parts: { quantity: number; damaged: number; qualityControl: number }) =>
    parts.quantity - parts.damaged - parts.qualityControl;
  const back = { quantity, damaged: damagedQuantity, qualityControl: qualityControlQuantity };
  const exceeded =
    came.damaged + back.damaged < 0 ||
    came.qualityControl + back.qualityControl < 0 ||
    sound(came) + sound(back) < 0;
  if (exceeded) return 'quantity_exceeded';
  if (!line.holdsStock) return 'ok';
  const lot = {
    ...{ organizationId: order.organizationId, productVariantId: line.productVariantId },
    lotNumber: lotNumber ?? null,
    expirationDate: expirationDate == null ? null : new Date(expirationDate),
  };
  const there = placedParts({ ...arrival, ...back }).every(
    ({ units: taken, locationId }) => unitsAt(facts, { ...lot, warehouseLocationId: locationId! }) >= -taken,
  );
  return there ? 'ok' : 'insufficient_stock';
}

export const receivingCommands: Command[] = [receive, takeBack];
