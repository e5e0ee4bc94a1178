// Which lines a request's line means, by id or by what it says of the variant, and what is open of them: pure.
import type { Issue } from '../errors.ts';
import { variantReference } from '../orders/schema.ts';
import type { LineReference } from '../products/variant-lookup.ts';

/** A line of an order or of a return, with everything that its variant may be named by. */
export interface OpenLine extends Required<LineReference> {
  id: string;
  productVariantId: string;
  productVariantSku: string;
  /** Units that may still be asked back, or may still come back. */
  open: number;
}

export interface LineInput extends LineReference {
  lineItemId?: string | null;
  quantity: number;
}

const referenceFields = Object.keys(variantReference) as (keyof LineReference)[];

export function namesVariant(input: LineInput): boolean {
  return referenceFields.some((field) => input[field] != null);
}

/** Takes the input's units from the lines that it means, in their order; `missing` is what they have not open. */
export function takeUnits<Line extends OpenLine>(
  input: LineInput,
  lines: readonly Line[],
): { taken: { line: Line; quantity: number }[]; missing: number } {
  const taken: { line: Line; quantity: number }[] = [];
  let missing = input.quantity;
  for (const line of lines) {
    const quantity = Math.min(missing, Math.max(line.open, 0));
    if (quantity === 0) continue;
    line.open -= quantity;
    missing -= quantity;
    taken.push({ line, quantity });
  }
  return { taken, missing };
}

/** All that the input says must be true of a line; one that says nothing means none. */
export function linesMeant<Line extends OpenLine>(input: LineInput, lines: readonly Line[]): Line[] {
  const id = input.lineItemId?.toLowerCase();
  const said = referenceFields.flatMap((field) => {
    const value = input[field] ?? undefined;
    if (value === undefined) return [];
    return [[field, field === 'productVariantId' ? value.toLowerCase() : value] as const];
  });
  if (id === undefined && said.length === 0) return [];
  return lines.filter(
    (line) => (id === undefined || line.id === id) && said.every(([field, value]) => line[field] === value),
  );
}

/** What is wrong with an input that means these lines, if anything is. */
export function meaningIssue(input: LineInput, meant: readonly OpenLine[], path: string): Issue | undefined {
  if (input.lineItemId == null && !namesVariant(input)) {
    return { path, code: 'required', message: 'must name a line or a product variant' };
  }
  if (meant.length === 0) return { path, code: 'not_found', message: 'names no line' };
  if (new Set(meant.map((line) => line.productVariantId)).size > 1) {
    return { path, code: 'ambiguous_variant', message: 'matches lines of more than one product variant' };
  }
  return undefined;
}

export function exceededIssue(
  path: string,
  quantity: number,
  missing: number,
  meant: readonly OpenLine[],
): Issue {
  const sku = meant[0]?.productVariantSku;
  const message = `only ${quantity - missing} units${sku === undefined ? '' : ` of ${sku}`} are open`;
  return { path: `${path}/quantity`, code: 'quantity_exceeded', message };
}
