// Commands that make suppliers and purchase orders, change them and move them from state to state.
import fc from 'fast-check';
import {
  type Asked,
  allWarehousesOf,
  type Command,
  choosePurchaseOrder,
  command,
  nth,
  partyOf,
  partyWith,
  type Seen,
  variantsOf,
} from './command.ts';
import type { Variant } from './facts.ts';
import type { PurchaseOrder, Supplier } from './facts-purchasing.ts';
import type { Party } from './service.ts';

const n = fc.nat(999);

const createSupplier = command({
  name: 'create supplier',
  weight: 1,
  data: fc.record({ who: n }),
  ask: ({ who }, seen): Asked => {
    const body = { name: `${seen.world.prefix} ${seen.tag}` };
    return { party: partyOf(seen, who), path: '/suppliers', body, may: [], must: 'ok', shows: body };
  },
});

/** Most stay: of an archived one nothing new is ordered. */
const changeSupplier = command({
  name: 'archive or restore a supplier',
  weight: 1,
  data: fc.record({ who: n, supplier: n }),
  ask: ({ who, supplier: which }, seen): Asked | undefined => {
    const party = partyOf(seen, who);
    const all = suppliersOf(seen, party);
    const supplier = all.find(({ archived }) => archived) ?? nth(all, which);
    if (supplier === undefined) return undefined;
    const body = { archived: !supplier.archived };
    return { party, path: `/suppliers/${supplier.id}`, body, may: [], must: 'ok' };
  },
});

function suppliersOf({ facts }: Seen, { organizationId }: Party): Supplier[] {
  return facts.suppliers.filter((one) => one.organizationId === organizationId);
}

const line = fc.record({
  variant: n,
  quantity: fc.integer({ min: 1, max: 9 }),
  cents: fc.nat(9_999),
  percent: fc.constantFrom(0, 7, 20),
});
const lines = fc.array(line, { minLength: 1, maxLength: 4 });
type Line = typeof line extends fc.Arbitrary<infer Data> ? Data : never;

/** Mostly one that can be ordered; bundles cannot. */
function chooseVariant(seen: Seen, party: Party, which: number): Variant {
  const all = variantsOf(seen, party);
  return nth(which % 12 === 11 ? all : all.filter((variant) => !variant.isBundle), which)!;
}

function lineItem({ id: productVariantId }: Variant, { quantity, cents, percent }: Line) {
  const taxRate = percent / 100;
  return { productVariantId, requestedQuantity: quantity, unitPrice: cents / 100, taxRate };
}

/** What the description says of an order of these variants. */
function outcomeOf(variants: readonly Variant[], refers: boolean): string {
  const bundles = variants.some((variant) => variant.isBundle && !variant.archived);
  if (!refers || bundles) return 'invalid_parameters';
  return variants.some(({ archived }) => archived) ? 'variant_archived' : 'ok';
}

const refusals = ['invalid_parameters', 'variant_archived'];

const createPurchaseOrder = command({
  name: 'create purchase order',
  weight: 9,
  data: fc.record({ who: n, supplier: n, warehouse: n, lines }),
  ask: ({ who, supplier: from, warehouse: to, lines: wanted }, seen): Asked | undefined => {
    const party = partyOf(seen, who);
    const supplier = nth(suppliersOf(seen, party), from);
    const warehouse = nth(allWarehousesOf(seen, party), to);
    if (supplier === undefined || warehouse === undefined) return undefined;
    const variants = wanted.map(({ variant }) => chooseVariant(seen, party, variant));
    return {
      party,
      path: '/purchase-orders',
      body: {
        name: `${seen.world.prefix}P-`,
        supplierId: supplier.id,
        warehouseId: warehouse.id,
        lineItems: wanted.map((one, index) => lineItem(variants[index]!, one)),
        referenceNumber: seen.tag,
      },
      may: refusals,
      must: outcomeOf(variants, !supplier.archived && !warehouse.archived),
    };
  },
});

const isChangeable = ({ status }: PurchaseOrder) => status === 'draft' || status === 'open';
const hasEnded = ({ status }: PurchaseOrder) => status === 'received' || status === 'cancelled';

function update(seen: Seen, order: PurchaseOrder, body: object, must: string | undefined): Asked {
  return {
    party: partyWith(seen, order.organizationId),
    path: `/purchase-orders/${order.id}`,
    body,
    may: [...refusals, 'invalid_transition', 'precondition_failed'],
    must,
  };
}

/** The lines from now on: some of those that there are, with other numbers of units, and new ones. */
const changeLines = command({
  name: 'change lines of a purchase order',
  weight: 3,
  data: fc.record({ order: n, kept: fc.nat(3), lines }),
  ask: ({ order: which, kept, lines: wanted }, seen): Asked | undefined => {
    const order = choosePurchaseOrder(seen, which, isChangeable);
    if (order === undefined) return undefined;
    const party = partyWith(seen, order.organizationId);
    const variants = wanted.map(({ variant }) => chooseVariant(seen, party, variant));
    const lineItems = wanted.map((one, index) => {
      const line = index < kept ? order.lines[index] : undefined;
      return { ...(line === undefined ? {} : { id: line.id }), ...lineItem(variants[index]!, one) };
    });
    // A line that the order has of an archived variant may stay.
    const fresh = variants.filter(
      ({ id }, index) => index >= kept || order.lines[index]?.productVariantId !== id,
    );
    const must = isChangeable(order) ? outcomeOf(fresh, true) : 'invalid_transition';
    return update(seen, order, { lineItems }, must);
  },
});

const changePlaces = command({
  name: 'change supplier or warehouse of a purchase order',
  weight: 2,
  data: fc.record({ order: n, supplier: fc.option(n), warehouse: fc.option(n) }),
  ask: ({ order: which, supplier: from, warehouse: to }, seen): Asked | undefined => {
    const order = choosePurchaseOrder(seen, which, isChangeable);
    if (order === undefined) return undefined;
    const party = partyWith(seen, order.organizationId);
    const supplier = from === null ? undefined : nth(suppliersOf(seen, party), from);
    const warehouse = to === null ? undefined : nth(allWarehousesOf(seen, party), to);
    const body = {
      ...(supplier === undefined ? {} : { supplierId: supplier.id }),
      ...(warehouse === undefined ? {} : { warehouseId: warehouse.id }),
    };
    if (Object.keys(body).length === 0) return undefined;
    const gone =
      (supplier?.archived === true && supplier.id !== order.supplierId) ||
      (warehouse?.archived === true && warehouse.id !== order.warehouseId);
    const must = gone ? 'invalid_parameters' : 'ok';
    const asked = update(seen, order, body, isChangeable(order) ? must : 'invalid_transition');
    return { ...asked, shows: body };
  },
});

const changeDetails = command({
  name: 'change details of a purchase order',
  weight: 2,
  data: fc.record({ order: n, day: fc.integer({ min: 1, max: 9 }), stale: fc.integer({ min: 0, max: 3 }) }),
  ask: ({ order: which, day, stale }, seen): Asked | undefined => {
    const order = nth(seen.facts.purchaseOrders, which);
    if (order === undefined) return undefined;
    const body = {
      expectedDate: `2026-02-0${day}T00:00:00Z`,
      trackingNumber: seen.tag,
      tags: [`day ${day}`],
    };
    const allowed = hasEnded(order) ? 'invalid_transition' : 'ok';
    const asked = { ...update(seen, order, body, allowed), shows: body };
    if (stale > 1) return asked;
    const headers = { 'if-match': `"${order.version - stale}"` };
    return { ...asked, headers, must: stale === 0 ? allowed : 'precondition_failed' };
  },
});

type Move = 'open' | 'confirm' | 'cancel' | 'close' | 'archive' | 'restore';

/** From the description, not from the code: the states in which a move is allowed. */
const allowedIn: Record<Move, readonly string[]> = {
  open: ['draft'],
  confirm: ['open'],
  cancel: ['draft', 'open', 'confirmed'],
  close: ['partially-received'],
  archive: ['draft', 'open', 'confirmed', 'partially-received', 'received', 'cancelled'],
  restore: ['draft', 'open', 'confirmed', 'partially-received', 'received', 'cancelled'],
};

function outcomeOfMove({ facts }: Seen, order: PurchaseOrder, to: Move): string {
  const { status, organizationId, warehouseId } = order;
  if (to === 'cancel' && ['partially-received', 'received'].includes(status)) return 'has_receipts';
  if (!allowedIn[to].includes(status)) return 'invalid_transition';
  const warehouse = facts.warehouses.find(
    (one) => one.organizationId === organizationId && one.id === warehouseId,
  );
  return to === 'confirm' && warehouse!.archived ? 'archived' : 'ok';
}

function move(to: Move, weight: number): Command {
  return command({
    name: `${to} purchase order`,
    weight,
    data: fc.record({ order: n }),
    ask: ({ order: which }, seen): Asked | undefined => {
      const order = choosePurchaseOrder(seen, which, ({ status }) => allowedIn[to].includes(status));
      if (order === undefined) return undefined;
      return {
        party: partyWith(seen, order.organizationId),
        path: `/purchase-orders/${order.id}/${to}`,
        body: {},
        may: ['invalid_transition', 'has_receipts', 'archived'],
        must: outcomeOfMove(seen, order, to),
      };
    },
  });
}

export const purchasingCommands: Command[] = [
  createSupplier,
  changeSupplier,
  createPurchaseOrder,
  changeLines,
  changePlaces,
  changeDetails,
  move('open', 6),
  move('confirm', 8),
  move('cancel', 2),
  move('close', 2),
  move('archive', 1),
  move('restore', 1),
];
