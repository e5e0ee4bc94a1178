// Commands that create orders and change what they want.
import fc from 'fast-check';
import {
  type Command,
  chooseOrder,
  command,
  nth,
  partyOf,
  partyWith,
  type Seen,
  variantsOf,
  warehousesOf,
} from './command.ts';
import { isHistory, type Order } from './facts.ts';
import type { Party } from './service.ts';

const n = fc.nat(999);
const units = fc.integer({ min: 1, max: 5 });

/** How often a status is chosen. */
function weighted(weights: Record<string, number>): fc.Arbitrary<string> {
  return fc.oneof(
    ...Object.entries(weights).map(([value, weight]) => ({ weight, arbitrary: fc.constant(value) })),
  );
}

const orderData = fc.record({
  lines: fc.array(fc.record({ variant: n, quantity: units }), { minLength: 1, maxLength: 4 }),
  /** The n-th warehouse; null leaves the choice. */
  pin: fc.option(n, { freq: 4 }),
  fulfillmentStatus: weighted({
    open: 12,
    confirmed: 4,
    scheduled: 2,
    'on-hold': 2,
    'partially-fulfilled': 1,
    fulfilled: 1,
  }),
  financialStatus: weighted({ pending: 4, paid: 3, authorized: 1, voided: 1, expired: 1 }),
  obeysPolicy: fc.integer({ min: 0, max: 4 }).map((chance) => chance === 4),
  day: fc.integer({ min: 1, max: 9 }),
  returned: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 9),
});
type OrderData = typeof orderData extends fc.Arbitrary<infer Data> ? Data : never;

function orderBody(seen: Seen, party: Party, data: OrderData, alias: string) {
  const variants = variantsOf(seen, party);
  const pinned = data.pin === null ? undefined : nth(warehousesOf(seen, party), data.pin);
  return {
    name: `${seen.world.prefix}-`,
    alias,
    price: 10,
    orderDate: `2026-01-0${data.day}T00:00:00Z`,
    fulfillmentStatus: data.fulfillmentStatus,
    financialStatus: data.financialStatus,
    inventoryBehaviour: data.obeysPolicy ? 'obey_policy' : 'backorder',
    lineItems: data.lines.map(({ variant, quantity }) => ({
      productVariantId: nth(variants, variant)!.id,
      quantity,
    })),
    ...(pinned === undefined ? {} : { warehouseId: pinned.id }),
    ...(data.returned ? { returnOrder: {} } : {}),
  };
}

/** A pin's warehouse, or a line's product, may be archived meanwhile. */
const refusals = ['insufficient_stock', 'invalid_parameters', 'variant_archived'];

const createOrder = command({
  name: 'create order',
  weight: 14,
  data: fc.record({ who: n, order: orderData }),
  ask: ({ who, order }, seen) => {
    const party = partyOf(seen, who);
    return { party, path: '/orders', body: orderBody(seen, party, order, seen.tag), may: refusals };
  },
});

const createOrders = command({
  name: 'create orders in bulk',
  weight: 2,
  data: fc.record({
    who: n,
    orders: fc.array(orderData, { minLength: 1, maxLength: 4 }),
    atomic: fc.boolean(),
  }),
  ask: ({ who, orders, atomic }, seen) => {
    const party = partyOf(seen, who);
    const bodies = orders.map((order, index) => orderBody(seen, party, order, `${seen.tag}-${index}`));
    return { party, path: '/orders/bulk', body: { orders: bodies, atomic }, may: atomic ? refusals : [] };
  },
});

const isOpen = (order: Order) =>
  !order.cancelled && order.fulfillmentStatus !== 'fulfilled' && !isHistory(order);

const changeQuantities = command({
  name: 'change quantities',
  weight: 4,
  data: fc.record({
    order: n,
    /** 0 is the least that is allowed. */
    lines: fc.array(fc.record({ line: n, quantity: fc.nat(7) }), { minLength: 1, maxLength: 3 }),
  }),
  ask: ({ order: which, lines }, seen) => {
    const order = chooseOrder(seen, which, isOpen);
    if (order === undefined) return undefined;
    const wanted = lines.map(({ line: index, quantity }) => {
      const line = nth(order.lines, index)!;
      return [line.id, quantity || Math.max(1, line.fulfilled + line.cancelled)] as const;
    });
    const lineItems = [...new Map(wanted)].map(([id, quantity]) => ({ id, quantity }));
    return update(seen, order, { lineItems }, ['invalid_transition', 'quantity_exceeded']);
  },
});

/** From the state table of the description, not from the code. */
const paymentMoves: Record<string, string[]> = {
  pending: ['authorized', 'paid', 'partially-paid', 'voided', 'expired'],
  authorized: ['paid', 'partially-paid', 'voided', 'expired'],
  'partially-paid': ['paid', 'partially-refunded', 'refunded', 'voided'],
  paid: ['partially-refunded', 'refunded'],
  'partially-refunded': ['refunded'],
  expired: ['pending', 'authorized', 'voided'],
};

const changePayment = command({
  name: 'change payment',
  weight: 3,
  data: fc.record({ order: n, to: n, any: fc.integer({ min: 0, max: 5 }) }),
  ask: ({ order: which, to, any }, seen) => {
    const order = chooseOrder(seen, which, isOpen);
    if (order === undefined) return undefined;
    const moves = paymentMoves[order.financialStatus] ?? [];
    const financialStatus = nth(any === 5 || moves.length === 0 ? Object.keys(paymentMoves) : moves, to)!;
    const allowed = moves.includes(financialStatus) || financialStatus === order.financialStatus;
    const asked = update(seen, order, { financialStatus }, ['invalid_transition']);
    return { ...asked, must: allowed ? 'ok' : 'invalid_transition' };
  },
});

const fulfillmentMoves: Record<string, string[]> = {
  scheduled: ['open', 'confirmed', 'on-hold'],
  open: ['scheduled', 'confirmed', 'on-hold'],
  confirmed: ['open', 'on-hold'],
  'partially-fulfilled': ['on-hold'],
};

const changeStatus = command({
  name: 'change status',
  weight: 3,
  data: fc.record({ order: n, to: n }),
  ask: ({ order: which, to }, seen) => {
    const order = chooseOrder(seen, which, isOpen);
    if (order === undefined) return undefined;
    const before = order.statusBeforeHold;
    const moves = before === null ? fulfillmentMoves[order.fulfillmentStatus] : [before];
    const fulfillmentStatus = nth(moves ?? ['open'], to)!;
    return update(seen, order, { fulfillmentStatus }, ['invalid_transition']);
  },
});

const changePin = command({
  name: 'change pin',
  weight: 3,
  data: fc.record({ order: n, pin: fc.option(n, { freq: 3 }) }),
  ask: ({ order: which, pin }, seen) => {
    const order = chooseOrder(seen, which, isOpen);
    if (order === undefined) return undefined;
    const warehouses = warehousesOf(seen, partyWith(seen, order.organizationId));
    const warehouseId = pin === null ? null : nth(warehouses, pin)?.id;
    if (warehouseId === undefined) return undefined;
    const asked = update(seen, order, { warehouseId }, ['invalid_parameters', 'invalid_transition']);
    // An organisation that serves an order from one warehouse chooses one itself.
    return warehouseId === null ? { ...asked, shows: {} } : asked;
  },
});

const changeDetails = command({
  name: 'change date and tags',
  weight: 2,
  data: fc.record({ order: n, day: fc.integer({ min: 1, max: 9 }), stale: fc.integer({ min: 0, max: 3 }) }),
  ask: ({ order: which, day, stale }, seen) => {
    const order = nth(seen.facts.orders, which);
    if (order === undefined) return undefined;
    const body = { orderDate: `2026-01-0${day}T00:00:00Z`, tags: [`day ${day}`] };
    const asked = update(seen, order, body, ['precondition_failed']);
    if (stale > 1) return asked;
    const version = order.version - stale;
    return {
      ...asked,
      headers: { 'if-match': `"${version}"` },
      must: stale === 0 ? 'ok' : 'precondition_failed',
    };
  },
});

function update(seen: Seen, order: Order, body: object, may: string[]) {
  return {
    party: partyWith(seen, order.organizationId),
    path: `/orders/${order.id}`,
    body,
    may,
    shows: body,
  };
}

export const orderCommands: Command[] = [
  createOrder,
  createOrders,
  changeQuantities,
  changePayment,
  changeStatus,
  changePin,
  changeDetails,
];
