// What is stored of purchasing, as plain data, and what the description says of it.

export interface Supplier {
  organizationId: string;
  id: string;
  archived: boolean;
}

export interface PurchaseLine {
  id: string;
  position: number;
  productVariantId: string;
  /** Its variant has stock of its own. */
  holdsStock: boolean;
  requested: number;
  received: number;
  unitPrice: number;
  taxRate: number;
  subtotal: number;
}

export interface PurchaseOrder {
  organizationId: string;
  id: string;
  name: string;
  version: number;
  status: string;
  supplierId: string;
  warehouseId: string;
  subtotal: number;
  totalTax: number;
  grandTotal: number;
  cancelled: boolean;
  closed: boolean;
  archived: boolean;
  createdAt: Date;
  lines: PurchaseLine[];
}

/** Units of each kind; below 0 where they were taken back. */
export interface Parts {
  quantity: number;
  damaged: number;
  qualityControl: number;
}

/** A line of a receipt. */
export interface Arrival extends Parts {
  organizationId: string;
  id: string;
  purchaseOrderId: string;
  receiptId: string;
  reference: string | null;
  lineId: string;
  locationId: string;
  damagedLocationId: string | null;
  qualityControlLocationId: string | null;
  lotNumber: string | null;
  expirationDate: Date | null;
}

/** A change of what a level waits for. */
export interface IncomingChange {
  organizationId: string;
  id: string;
  warehouseId: string;
  productVariantId: string;
  lineId: string;
  quantity: number;
}

export function isOnItsWay({ status }: Pick<PurchaseOrder, 'status'>): boolean {
  return status === 'confirmed' || status === 'partially-received';
}

/** Units that may still come without anybody allowing more than was ordered. */
export function dueUnits(order: PurchaseOrder, line: PurchaseLine): number {
  return order.closed ? 0 : Math.max(0, line.requested - line.received);
}

/** What the arrivals of each line come to, by line id. */
export function receivedByLine(arrivals: readonly Arrival[]): Map<string, Parts> {
  const sums = new Map<string, Parts>();
  for (const { lineId, quantity, damaged, qualityControl } of arrivals) {
    const sum = sums.get(lineId) ?? { quantity: 0, damaged: 0, qualityControl: 0 };
    sum.quantity += quantity;
    sum.damaged += damaged;
    sum.qualityControl += qualityControl;
    sums.set(lineId, sum);
  }
  return sums;
}

/** Sound units of each part, damaged ones, and those in quality control, with where they went. */
export function placedParts(arrival: Arrival): { units: number; locationId: string | null }[] {
  const { quantity, damaged, qualityControl } = arrival;
  return [
    { units: quantity - damaged - qualityControl, locationId: arrival.locationId },
    { units: damaged, locationId: arrival.damagedLocationId },
    { units: qualityControl, locationId: arrival.qualityControlLocationId },
  ].filter(({ units }) => units !== 0);
}
