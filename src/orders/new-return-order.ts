// The return order that is opened together with an order.
import { newId } from '../database/ids.ts';
import { type Issue, invalid } from '../errors.ts';
import type { NewReturnOrder } from '../return-orders/queries.ts';
import type { NewLine } from './new-order.ts';
import type { ReturnOrderInput } from './schema.ts';

/**
 * @throws 400 naming every line that is not in the order, is named twice over, or returns more than is ordered
 */
export function newReturnOrder(
  input: ReturnOrderInput | null | undefined,
  name: string | null,
  lines: readonly NewLine[],
): NewReturnOrder | undefined {
  if (input == null || name === null) return undefined;
  const issues: Issue[] = [];
  const taken = new Map<NewLine, number>();
  const wanted =
    input.lineItems ?? lines.map((line) => ({ lineItemIndex: line.position, quantity: line.quantity }));
  const lineItems = wanted.flatMap((item, index) => {
    const line = lineOf(item, lines);
    const path = `/returnOrder/lineItems/${index}`;
    if (line === undefined) {
      issues.push({ path, code: 'not_found', message: 'names no line of the order' });
      return [];
    }
    const quantity = (taken.get(line) ?? 0) + item.quantity;
    taken.set(line, quantity);
    if (quantity > line.quantity) {
      issues.push({ path: `${path}/quantity`, code: 'out_of_range', message: 'is more than was ordered' });
    }
    const { id: productVariantId, sku } = line.variant;
    return [{ id: newId(), orderLineItemId: line.id, productVariantId, sku, quantity: item.quantity }];
  });
  if (issues.length > 0) throw invalid(issues);
  return { id: newId(), name, reason: input.reason ?? null, label: input.label ?? null, lineItems };
}

function lineOf(
  item: { productVariantSku?: string | null; lineItemIndex?: number | null },
  lines: readonly NewLine[],
): NewLine | undefined {
  const { productVariantSku: sku, lineItemIndex: index } = item;
  if (index != null) return sku == null || lines[index]?.variant.sku === sku ? lines[index] : undefined;
  return lines.find((line) => line.variant.sku === sku);
}
