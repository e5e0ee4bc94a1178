// Commands that open return orders, receive what comes back, and cancel them.
import fc from 'fast-check';
import {
  type Asked,
  type Command,
  command,
  nth,
  partyOf,
  partyWith,
  type Seen,
  variantsOf,
} from './command.ts';

const n = fc.nat(999);
const units = fc.integer({ min: 1, max: 3 });

const createReturn = command({
  name: 'create return order',
  weight: 5,
  data: fc.record({
    order: n,
    lines: fc.array(fc.record({ line: n, quantity: units }), { minLength: 1, maxLength: 2 }),
  }),
  ask: ({ order: which, lines }, seen): Asked | undefined => {
    const order = nth(seen.facts.orders, which);
    if (order === undefined) return undefined;
    const lineItems = lines.map(({ line, quantity }) => ({
      lineItemId: nth(order.lines, line)!.id,
      quantity,
    }));
    return {
      party: partyWith(seen, order.organizationId),
      path: '/return-orders',
      body: { orderId: order.id, reason: seen.tag, lineItems },
      may: ['quantity_exceeded'],
    };
  },
});

const createBlindReturn = command({
  name: 'create blind return order',
  weight: 1,
  data: fc.record({ who: n, lines: fc.array(fc.record({ variant: n, quantity: units }), { maxLength: 2 }) }),
  ask: ({ who, lines }, seen): Asked | undefined => {
    const party = partyOf(seen, who);
    const lineItems = lines.map(({ variant, quantity }) => ({
      productVariantId: nth(variantsOf(seen, party), variant)!.id,
      quantity,
    }));
    return {
      party,
      path: '/return-orders',
      body: { lineItems },
      may: ['variant_archived', 'invalid_parameters'],
    };
  },
});

const dispositions = ['restock', 'damaged', 'quality-control', 'discard'] as const;

const receiveReturn = command({
  name: 'receive return order',
  weight: 7,
  data: fc.record({
    returnOrder: n,
    parts: fc.array(
      fc.record({ line: n, quantity: units, disposition: fc.constantFrom(...dispositions), place: n }),
      { minLength: 1, maxLength: 3 },
    ),
    /** Of one lot, which a bundle does not have. */
    lot: fc.constantFrom(null, null, null, 'L1', 'L2'),
    surprise: fc.option(n, { freq: 3 }),
  }),
  ask: ({ returnOrder: which, parts, lot, surprise }, seen): Asked | undefined => {
    const chosen = nth(seen.memory.returnOrders, which);
    if (chosen === undefined) return undefined;
    const party = partyWith(seen, chosen.organizationId);
    const lineItems = parts.flatMap(({ line, quantity, disposition, place }) => {
      const lineItemId = nth(chosen.lineItemIds, line);
      const variant = surprise === null ? undefined : nth(variantsOf(seen, party), surprise);
      const named = variant === undefined ? lineItemId && { lineItemId } : { productVariantId: variant.id };
      const fitting = seen.facts.places.filter(
        (one) => one.organizationId === party.organizationId && fits(disposition, one.type) && !one.archived,
      );
      const location = nth(fitting, place);
      if (!named || location === undefined) return [];
      const put = disposition === 'discard' ? {} : { warehouseLocationId: location.id };
      return [{ ...named, quantity, disposition, ...put, lotNumber: lot }];
    });
    if (lineItems.length === 0) return undefined;
    return {
      party,
      path: `/return-orders/${chosen.id}/receive`,
      body: { lineItems },
      may: ['quantity_exceeded', 'invalid_transition', 'archived', 'invalid_parameters', 'variant_archived'],
    };
  },
});

function fits(disposition: (typeof dispositions)[number], type: string): boolean {
  if (disposition === 'restock') return type !== 'damaged' && type !== 'quality-control';
  return disposition === 'discard' || type === disposition;
}

function end(how: 'cancel' | 'close'): Command {
  return command({
    name: `${how} return order`,
    weight: 1,
    data: fc.record({ returnOrder: n }),
    ask: ({ returnOrder: which }, seen): Asked | undefined => {
      const chosen = nth(seen.memory.returnOrders, which);
      if (chosen === undefined) return undefined;
      return {
        party: partyWith(seen, chosen.organizationId),
        path: `/return-orders/${chosen.id}/${how}`,
        body: {},
        may: ['invalid_transition'],
        must: outcomeOfEnd(seen, chosen.id, how),
      };
    },
  });
}

function outcomeOfEnd({ facts }: Seen, id: string, how: 'cancel' | 'close'): string | undefined {
  const stored = facts.hidden?.returnOrders.find((one) => one.id === id);
  if (stored === undefined) return undefined;
  const ended = stored.status === 'cancelled' || stored.status === 'closed';
  const came = stored.status === 'received' || stored.lines.some(({ received }) => received > 0);
  return ended || (how === 'cancel' && came) ? 'invalid_transition' : 'ok';
}

export const returnCommands: Command[] = [
  createReturn,
  createBlindReturn,
  receiveReturn,
  end('cancel'),
  end('close'),
];
