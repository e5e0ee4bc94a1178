// The lines of a receipt: what arrived, and where it goes. Pure.
import { type Issue, invalid } from '../errors.ts';
import type { StockChange } from '../inventory/stock.ts';
import type { StoredLine } from './line-queries.ts';
import type { CreateReceiptBody } from './schema-receipts.ts';

/** Units, of which some are damaged or wait for quality control. Below 0: a correction. */
export interface Parts {
  quantity: number;
  damagedQuantity: number;
  qualityControlQuantity: number;
}

export interface Arrival extends Parts {
  /** JSON pointer of the request's line. */
  path: string;
  line: StoredLine;
  locations: { warehouseLocationId: string; damagedLocationId: string; qualityControlLocationId: string };
  lotNumber: string | null;
  expirationDate: Date | null;
}

/** @throws 400 naming every line that is none of the order's, is about nothing, or has parts larger than itself */
export function arrivalsOf(
  body: CreateReceiptBody,
  lines: readonly StoredLine[],
  standard: ReadonlyMap<string, string>,
): Arrival[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  const issues: Issue[] = [];
  const arrivals = body.lineItems.flatMap((input, index): Arrival[] => {
    const path = `/lineItems/${index}`;
    const parts = {
      quantity: input.quantity,
      damagedQuantity: input.damagedQuantity ?? 0,
      qualityControlQuantity: input.qualityControlQuantity ?? 0,
    };
    issues.push(...partIssues(path, parts));
    const line = byId.get(input.lineItemId.toLowerCase());
    if (line === undefined) {
      const message = 'is no line of this purchase order';
      issues.push({ path: `${path}/lineItemId`, code: 'not_found', message });
      return [];
    }
    const place = (id: string | null | undefined, name: string) => id?.toLowerCase() ?? standard.get(name)!;
    const locations = {
      warehouseLocationId: place(input.warehouseLocationId, 'RECEIVING'),
      damagedLocationId: place(input.damagedLocationId, 'DAMAGED'),
      qualityControlLocationId: place(input.qualityControlLocationId, 'QC'),
    };
    const { lotNumber = null, expirationDate } = input;
    const expiry = expirationDate == null ? null : new Date(expirationDate);
    return [{ path, line, ...parts, locations, lotNumber, expirationDate: expiry }];
  });
  if (issues.length > 0) throw invalid(issues);
  return arrivals;
}

/** The parts have the sign of the whole and are together no larger. */
function partIssues(path: string, parts: Parts): Issue[] {
  const { quantity, damagedQuantity, qualityControlQuantity } = parts;
  if (quantity === 0) return [{ path: `${path}/quantity`, code: 'out_of_range', message: 'must not be 0' }];
  const sign = Math.sign(quantity);
  const rest = { damagedQuantity, qualityControlQuantity };
  const issues = Object.entries(rest)
    .filter(([, part]) => part * sign < 0)
    .map(([field]) => ({
      path: `${path}/${field}`,
      code: 'out_of_range',
      message: 'must have the sign of quantity',
    }));
  if (issues.length > 0) return issues;
  if ((damagedQuantity + qualityControlQuantity) * sign <= quantity * sign) return [];
  const field = damagedQuantity * sign > quantity * sign ? 'damagedQuantity' : 'qualityControlQuantity';
  const message = 'is more than quantity, which counts every unit, has left for it';
  return [{ path: `${path}/${field}`, code: 'out_of_range', message }];
}

/** What the arrivals make of each of their lines in all, by line id. */
export function sumsOf(
  arrivals: readonly Arrival[],
  before: (line: StoredLine) => Parts = () => nothing,
): Map<string, Parts> {
  const sums = new Map<string, Parts>();
  for (const { line, quantity, damagedQuantity, qualityControlQuantity } of arrivals) {
    const sum = sums.get(line.id) ?? { ...before(line) };
    sum.quantity += quantity;
    sum.damagedQuantity += damagedQuantity;
    sum.qualityControlQuantity += qualityControlQuantity;
    sums.set(line.id, sum);
  }
  return sums;
}

export const nothing: Readonly<Parts> = { quantity: 0, damagedQuantity: 0, qualityControlQuantity: 0 };

/** The changes of stock that a receipt is: at most three a line, none for variants that hold no stock. */
export function stockChangesOf(
  arrivals: readonly Arrival[],
  warehouseId: string,
  receiptId: string,
): { change: StockChange; path: string }[] {
  return arrivals
    .filter(({ line }) => line.holdsStock)
    .flatMap((arrival) => {
      const { quantity, damagedQuantity, qualityControlQuantity, locations } = arrival;
      const parts: [units: number, locationId: string][] = [
        [quantity - damagedQuantity - qualityControlQuantity, locations.warehouseLocationId],
        [damagedQuantity, locations.damagedLocationId],
        [qualityControlQuantity, locations.qualityControlLocationId],
      ];
      return parts
        .filter(([units]) => units !== 0)
        .map(([units, location]) => ({
          path: arrival.path,
          change: {
            warehouseId,
            productVariantId: arrival.line.productVariantId,
            fromWarehouseLocationId: units < 0 ? location : null,
            toWarehouseLocationId: units > 0 ? location : null,
            quantity: Math.abs(units),
            lotNumber: arrival.lotNumber,
            expirationDate: arrival.expirationDate,
            reason: units < 0 ? 'receipt-correction' : 'receipt',
            referenceType: 'purchase-order-receipt',
            referenceId: receiptId,
          },
        }));
    });
}
