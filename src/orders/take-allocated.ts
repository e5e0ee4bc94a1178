// Which of a line's allocations leave, and from which warehouses: pure, over levels that are under lock.
import { commit } from '../allocation/allocate.ts';
import { ApiError } from '../errors.ts';
import type { OpenOrder, OrderLine } from './open-order.ts';

/** Units of a line that leave, from one warehouse's allocation; null where the line holds no stock. */
export interface Taken {
  line: OrderLine;
  warehouseId: string | null;
  quantity: number;
}

export interface Wanted {
  line: OrderLine;
  quantity: number;
  /** Where the units were really picked, by warehouse; they add up to the quantity. */
  picked?: ReadonlyMap<string, number> | undefined;
  /** JSON pointer of the request's line. */
  path: string;
}

/**
 * Moves units from allocated to fulfilled: from the warehouses where they were picked, or from the one that is named,
 * or from those that have the units, which a line may hold more of than there are.
 * @throws 409 insufficient_stock where less is allocated
 */
export function takeAllocated(order: OpenOrder, wanted: Wanted, warehouseId: string | null): Taken[] {
  const { line, quantity, picked, path } = wanted;
  const shares = picked ?? new Map(warehouseId === null ? [] : [[warehouseId, quantity]]);
  for (const [id, units] of shares) {
    if (warehouseId !== null && id !== warehouseId) throw notAllocated(line, 0, true, `${path}/picks`);
    const held = heldAt(line, id);
    if (units > held) throw notAllocated(line, held, true, `${path}/quantity`);
  }
  if (quantity > line.quantityAllocated) {
    throw notAllocated(line, line.quantityAllocated, false, `${path}/quantity`);
  }
  if (quantity === 0) return [];
  line.quantityAllocated -= quantity;
  line.quantityFulfilled += quantity;
  if (line.requirements.length === 0) return [{ line, warehouseId: null, quantity }];
  const taken = [...(shares.size > 0 ? shares : shareOut(order, line, quantity))];
  for (const [id, units] of taken) {
    commit(line, order.levels, id, -units);
    line.allocations.set(id, line.allocations.get(id)! - units);
  }
  return taken.map(([id, units]) => ({ line, warehouseId: id, quantity: units }));
}

/** Units of a line that a warehouse holds for it. */
export function heldAt(line: OrderLine, warehouseId: string): number {
  return line.requirements.length === 0 ? line.quantityAllocated : (line.allocations.get(warehouseId) ?? 0);
}

/** What each warehouse has comes first; where that is too little, what is missing is found missing there. */
function shareOut(order: OpenOrder, line: OrderLine, quantity: number): Map<string, number> {
  const shares = new Map<string, number>();
  let missing = quantity;
  const take = (warehouseId: string, units: number) => {
    const share = Math.min(missing, units);
    if (share <= 0) return;
    shares.set(warehouseId, (shares.get(warehouseId) ?? 0) + share);
    missing -= share;
  };
  for (const [id, held] of line.allocations) take(id, Math.min(held, thereAt(order, line, id)));
  for (const [id, held] of line.allocations) take(id, held - (shares.get(id) ?? 0));
  return shares;
}

/** Units that can be picked in a warehouse, whoever they are held for. */
function thereAt(order: OpenOrder, line: OrderLine, warehouseId: string): number {
  const units = line.requirements.map(({ productVariantId, quantityPerUnit }) => {
    const pickable = order.levels.get(productVariantId, warehouseId)?.pickable ?? 0;
    return Math.floor(pickable / quantityPerUnit);
  });
  return Math.min(...units);
}

function notAllocated(line: OrderLine, held: number, there: boolean, path: string): ApiError {
  const message = `only ${held} units of ${line.sku} are allocated${there ? ' there' : ''}`;
  return new ApiError('insufficient_stock', { issues: [{ path, code: 'insufficient_stock', message }] });
}
