// What a command is: plain data that says which thing to do to the n-th of what exists, and the request it comes to.
import type fc from 'fast-check';
import type { Facts, Order, StockRecord, Variant, Warehouse } from './facts.ts';
import type { PurchaseOrder } from './facts-purchasing.ts';
import type { Party } from './service.ts';
import type { World } from './world.ts';

/** What a command may look at. */
export interface Seen {
  world: World;
  /** As it was before the command's round began. */
  facts: Facts;
  /** What answers told, of which the facts do not know. */
  memory: Memory;
  /** A word that no other command of the run has. */
  tag: string;
}

export interface Memory {
  fulfillments: { organizationId: string; orderId: string; id: string }[];
  returnOrders: { organizationId: string; id: string; lineItemIds: string[] }[];
}

export interface Asked {
  party: Party;
  method?: 'POST' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Error codes that it may be answered with. */
  may: readonly string[];
  /** What it must be answered with when nothing else runs: `ok` or a code. */
  must?: string | undefined;
  /** What the answer's record must have, lines by their id. */
  shows?: object;
  /** Units that the ledger must have under this reason once it was answered 200, and none where it was not. */
  ledger?: { reason: string; units: number };
  /** The receipt that there must be once it was answered 200, and none where it was not. */
  receipt?: { reference: string; units: number };
}

export interface Command<Data = unknown> {
  name: string;
  weight: number;
  data: fc.Arbitrary<Data>;
  /** It changes stock and nothing else. */
  ofStock?: boolean;
  /** Undefined where there is nothing to do it to. */
  ask(data: Data, seen: Seen): Asked | undefined;
}

/** Keeps the type of the data between the arbitrary and the request. */
export function command<Data>(definition: Command<Data>): Command {
  return definition as Command<never> as Command;
}

/** The n-th of what there is, beginning again at the end. */
export function nth<T>(list: readonly T[], n: number): T | undefined {
  return list.length === 0 ? undefined : list[n % list.length];
}

/** One in four is the child's. */
export function partyOf({ world }: Seen, who: number): Party {
  return world.parties[who % 4 === 3 ? 1 : 0];
}

export function partyWith({ world }: Seen, organizationId: string): Party {
  return world.parties.find((party) => party.organizationId === organizationId)!;
}

export function variantsOf({ facts }: Seen, { organizationId }: Party): Variant[] {
  return facts.variants.filter((variant) => variant.organizationId === organizationId);
}

/** Those that can have stock. */
export function stockedVariantsOf(seen: Seen, party: Party): Variant[] {
  return variantsOf(seen, party).filter((variant) => variant.tracksInventory && !variant.isBundle);
}

export function warehousesOf(seen: Seen, party: Party): Warehouse[] {
  return allWarehousesOf(seen, party).filter(({ archived }) => !archived);
}

/** Those too that are archived, or no longer shared. */
export function allWarehousesOf({ facts, world }: Seen, { organizationId }: Party): Warehouse[] {
  return facts.warehouses.filter(
    (one) => one.organizationId === organizationId && world.warehouseIds.includes(one.id),
  );
}

/** Mostly one that something can still be done with. */
export function chooseOrder({ facts }: Seen, n: number, fits: (order: Order) => boolean): Order | undefined {
  const suited = facts.orders.filter(fits);
  return n % 8 === 7 || suited.length === 0 ? nth(facts.orders, n) : nth(suited, n);
}

/** Likewise. */
export function choosePurchaseOrder(
  { facts }: Seen,
  n: number,
  fits: (order: PurchaseOrder) => boolean,
): PurchaseOrder | undefined {
  const suited = facts.purchaseOrders.filter(fits);
  return n % 8 === 7 || suited.length === 0 ? nth(facts.purchaseOrders, n) : nth(suited, n);
}

type Lot = Pick<
  StockRecord,
  'organizationId' | 'productVariantId' | 'warehouseLocationId' | 'lotNumber' | 'expirationDate'
>;

/** Units of a variant at a place: of the lot, of the expiry, or of any where these are null. */
export function unitsAt({ records }: Facts, lot: Lot): number {
  return records
    .filter(
      (one) =>
        one.organizationId === lot.organizationId &&
        one.productVariantId === lot.productVariantId &&
        one.warehouseLocationId === lot.warehouseLocationId &&
        (lot.lotNumber === null || one.lotNumber === lot.lotNumber) &&
        (lot.expirationDate === null || one.expirationDate?.getTime() === lot.expirationDate.getTime()),
    )
    .reduce((sum, one) => sum + one.quantity, 0);
}
