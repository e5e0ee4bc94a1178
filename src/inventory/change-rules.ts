// What a change of stock may say, and what it means: pure.
import type { Issue } from '../errors.ts';
import type { ChangeInventoryBody } from './schema-changes.ts';
import type { StockChange } from './stock.ts';

/** What is wrong with a change that its schema cannot see. */
export function changeIssues(body: ChangeInventoryBody): Issue[] {
  const issues: Issue[] = [];
  const target = body.moveToWarehouseLocationId ?? null;
  if (body.changeQuantity === 0) {
    issues.push({ path: '/changeQuantity', code: 'out_of_range', message: 'must not be 0' });
  } else if (target !== null && body.changeQuantity < 0) {
    issues.push({ path: '/changeQuantity', code: 'out_of_range', message: 'must be positive for a move' });
  }
  if (target?.toLowerCase() === body.warehouseLocationId.toLowerCase()) {
    const message = 'must be another location than warehouseLocationId';
    issues.push({ path: '/moveToWarehouseLocationId', code: 'not_allowed', message });
  }
  return issues;
}

export function stockChangeOf(body: ChangeInventoryBody, productVariantId: string): StockChange {
  const { changeQuantity, lotNumber = null, expirationDate = null, expectedQuantity = null } = body;
  const named = body.warehouseLocationId.toLowerCase();
  const target = body.moveToWarehouseLocationId?.toLowerCase() ?? null;
  const isMove = target !== null;
  return {
    warehouseId: body.warehouseId.toLowerCase(),
    productVariantId,
    fromWarehouseLocationId: isMove || changeQuantity < 0 ? named : null,
    toWarehouseLocationId: isMove ? target : changeQuantity > 0 ? named : null,
    quantity: Math.abs(changeQuantity),
    lotNumber,
    expirationDate: expirationDate === null ? null : new Date(expirationDate),
    reason: body.reason ?? (isMove ? 'move' : 'adjustment'),
    ...(expectedQuantity === null ? {} : { expectedQuantity }),
  };
}

/** What was done, in words: `Successfully added 50 units to A-01-01`. */
export function changeMessage(change: StockChange, name: string, sourceName: string | undefined): string {
  const units = `${change.quantity} ${change.quantity === 1 ? 'unit' : 'units'}`;
  if (sourceName !== undefined) return `Successfully moved ${units} from ${sourceName} to ${name}`;
  return change.fromWarehouseLocationId === null
    ? `Successfully added ${units} to ${name}`
    : `Successfully removed ${units} from ${name}`;
}
