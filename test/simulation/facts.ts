// What the auditor and the commands go by: what is stored, as plain data, wherever it was read from.
import type { Arrival, IncomingChange, PurchaseOrder, Supplier } from './facts-purchasing.ts';

export type UnitClass = 'pickable' | 'reserved' | 'damaged' | 'qualityControl';

export interface Warehouse {
  organizationId: string;
  id: string;
  ownerId: string;
  priority: number;
  shared: boolean;
  archived: boolean;
}

/** A location in a warehouse; one row per organisation that has the warehouse. */
export interface Place {
  organizationId: string;
  id: string;
  warehouseId: string;
  name: string;
  type: string;
  pickable: boolean;
  archived: boolean;
}

export interface Product {
  organizationId: string;
  id: string;
  archived: boolean;
}

export interface Variant {
  organizationId: string;
  id: string;
  productId: string;
  policy: 'deny' | 'continue';
  tracksInventory: boolean;
  isBundle: boolean;
  ships: boolean;
  archived: boolean;
  /** Stock that one unit takes now: the variant itself, a bundle's components, or nothing. */
  needs: Need[];
}

/** Units of a variant in one unit of another, or in itself. */
export interface Need {
  productVariantId: string;
  perUnit: number;
}

export interface Movement {
  organizationId: string;
  id: string;
  warehouseId: string;
  productVariantId: string;
  from: string | null;
  to: string | null;
  quantity: number;
  lotNumber: string | null;
  expirationDate: Date | null;
  reason: string;
  referenceType: string | null;
  referenceId: string | null;
  createdAt: Date;
}

export interface StockRecord {
  organizationId: string;
  id: string;
  warehouseId: string;
  warehouseLocationId: string;
  productVariantId: string;
  lotNumber: string | null;
  expirationDate: Date | null;
  quantity: number;
  /** The service has noticed its expiry; undefined where that cannot be seen. */
  expired: boolean | undefined;
  updatedAt: Date;
}

export interface Level {
  organizationId: string;
  warehouseId: string;
  productVariantId: string;
  onHand: number;
  pickable: number;
  reserved: number;
  damaged: number;
  qualityControl: number;
  committed: number;
  safetyStock: number;
  incoming: number;
  available: number;
}

export interface Line {
  id: string;
  position: number;
  productVariantId: string;
  quantity: number;
  allocated: number;
  backordered: number;
  fulfilled: number;
  cancelled: number;
  /** It is shipped; other lines leave with the last that is. */
  ships: boolean;
  /** As the variant's were when the line was made. */
  needs: Need[];
}

export interface Order {
  organizationId: string;
  id: string;
  name: string;
  alias: string | null;
  version: number;
  financialStatus: string;
  fulfillmentStatus: string;
  /** The status that a hold will give back. */
  statusBeforeHold: string | null;
  holdReason: string | null;
  warehouseId: string | null;
  orderDate: Date;
  cancelled: boolean;
  archived: boolean;
  readyToShip: boolean;
  /** The `fulfillmentStatus` that it was created with; undefined where that cannot be seen. */
  createdAs: string | undefined;
  lines: Line[];
}

/** Units of a variant in a warehouse that an order's line holds. */
export interface Held {
  organizationId: string;
  lineId: string;
  warehouseId: string;
  productVariantId: string;
  units: number;
}

export interface AllocationChange {
  organizationId: string;
  id: string;
  warehouseId: string;
  productVariantId: string;
  lineId: string;
  quantity: number;
}

export interface Setting {
  warehouseId: string;
  productVariantId: string;
  safetyStock: number;
}

export interface Fulfillment {
  organizationId: string;
  id: string;
  orderId: string;
  cancelled: boolean;
  lines: { lineId: string; warehouseId: string | null; quantity: number }[];
  picks: {
    lineId: string;
    productVariantId: string;
    warehouseLocationId: string;
    lotNumber: string | null;
    expirationDate: Date | null;
    quantity: number;
  }[];
}

export interface ReturnOrder {
  organizationId: string;
  id: string;
  orderId: string | null;
  status: string;
  lines: {
    id: string;
    orderLineId: string | null;
    productVariantId: string;
    quantity: number;
    received: number;
    receipts: { quantity: number; disposition: string; warehouseLocationId: string | null }[];
  }[];
}

export interface Facts {
  /** Nothing was under way at this moment. */
  time: Date;
  warehouses: Warehouse[];
  places: Place[];
  products: Product[];
  variants: Variant[];
  movements: Movement[];
  records: StockRecord[];
  levels: Level[];
  orders: Order[];
  held: Held[];
  suppliers: Supplier[];
  purchaseOrders: PurchaseOrder[];
  arrivals: Arrival[];
  /** Only where the database can be read. */
  hidden?: {
    allocationChanges: AllocationChange[];
    /** The last one of each level. */
    settings: Setting[];
    fulfillments: Fulfillment[];
    returnOrders: ReturnOrder[];
    incomingChanges: IncomingChange[];
    /** Events by organisation. */
    eventCounts: Record<string, number>;
  };
}

/** Quantities added up by a key. */
export class Sums {
  readonly #sums = new Map<string, number>();

  add(key: string, quantity: number): void {
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + quantity);
  }

  get(key: string): number {
    return this.#sums.get(key) ?? 0;
  }

  keys(): string[] {
    return [...this.#sums.keys()];
  }
}

export interface LevelKey {
  productVariantId: string;
  warehouseId: string;
}

export function levelKey({ productVariantId, warehouseId }: LevelKey): string {
  return `variant ${productVariantId} in warehouse ${warehouseId}`;
}

export function placeKey({ organizationId, id }: { organizationId: string; id: string }): string {
  return `${organizationId} ${id}`;
}

/** The status that counts: behind a hold, the one that the hold will give back. */
export function statusBehindHold(order: Order): string {
  return order.fulfillmentStatus === 'on-hold'
    ? (order.statusBeforeHold ?? 'on-hold')
    : order.fulfillmentStatus;
}

/** "`voided` and `expired` release it." */
export function isUnpayable(order: Order): boolean {
  return order.financialStatus === 'voided' || order.financialStatus === 'expired';
}

/** "Orders created `fulfilled` or `partially-fulfilled` are history." */
export function isHistory(order: Order): boolean {
  return order.createdAs === 'fulfilled' || order.createdAs === 'partially-fulfilled';
}

/** In this state an order takes stock for all that it still needs. */
export function takesStock(order: Order): boolean {
  const status = order.fulfillmentStatus;
  return (
    ['open', 'confirmed', 'partially-fulfilled'].includes(status) &&
    !order.cancelled &&
    !isUnpayable(order) &&
    !isHistory(order)
  );
}

export function openUnits(line: Line): number {
  return line.quantity - line.fulfilled - line.cancelled;
}
