// The lines of a purchase order from its request.
import { newId } from '../database/ids.ts';
import { ApiError, type ErrorCode, type Issue, invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import * as limits from '../limits.ts';
import { money } from '../money.ts';
import { findLineVariants, type LineMatch, type LineVariant } from '../products/variant-lookup.ts';
import { findReferences, type LineRow, type References } from './line-queries.ts';
import type { LineItemInput } from './schema.ts';
import { lineSubtotal, rate, totalsOf } from './totals.ts';

export interface ResolvedOrder {
  lines: LineRow[];
  references: References;
}

/** The lines that an order has, by id. */
type KnownLines = ReadonlyMap<string, Pick<LineRow, 'createdAt' | 'productVariantId'>>;

/**
 * @throws 400 naming an unknown supplier or warehouse and every line that cannot be ordered: unknown_variant,
 *   ambiguous_variant or variant_archived where that is all, else invalid_parameters
 */
export async function resolveOrder(
  write: Write,
  order: { supplierId: string; warehouseId: string; lineItems: readonly LineItemInput[] },
  known: KnownLines = new Map(),
  kept: KeptReferences = [],
): Promise<ResolvedOrder> {
  const found = await findLineVariants(write.transaction, write.scope.organizationId, order.lineItems);
  const matches = found.map((match, index) => matchKept(match, order.lineItems[index]!, known));
  const variants = matches.map((match) => (match.status === 'found' ? match.variant : undefined));
  const variantIds = new Set(variants.flatMap((variant) => (variant === undefined ? [] : [variant.id])));
  const references = await findReferences(write, { ...order, variantIds: [...variantIds] });
  const issues = [
    ...referenceIssues(references, kept),
    ...repeatedIdIssues(order.lineItems, known),
    ...order.lineItems.flatMap((input, index) => lineIssues(input, index, variants[index], references)),
  ];
  requireFound(matches, issues);
  const lines = order.lineItems.map((input, position) =>
    newLine(input, position, variants[position]!, references, known),
  );
  requirePayable(lines);
  return { lines, references };
}

/** What an update leaves as it is: an order goes on when its supplier or warehouse is archived. */
export type KeptReferences = readonly ('/supplierId' | '/warehouseId')[];

/** A supplier and a warehouse that an order can be for. */
export function referenceIssues({ supplier, warehouse }: References, kept: KeptReferences): Issue[] {
  const issues: Issue[] = [];
  if (supplier === null && !kept.includes('/supplierId'))
    issues.push({ path: '/supplierId', code: 'not_found', message: 'is no supplier' });
  if (!warehouse && !kept.includes('/warehouseId'))
    issues.push({ path: '/warehouseId', code: 'not_found', message: 'is no warehouse' });
  return issues;
}

/** Of an archived variant nothing new is ordered; the line that an order has of it stays. */
function matchKept(match: LineMatch, { id }: LineItemInput, known: KnownLines): LineMatch {
  if (match.status !== 'archived') return match;
  const kept = known.get(id?.toLowerCase() ?? '')?.productVariantId;
  const variant = match.variants.find((one) => one.id === kept);
  return variant === undefined ? match : { status: 'found', variant };
}

/** A line that is named is one of the order's, once. */
function repeatedIdIssues(inputs: readonly LineItemInput[], known: KnownLines): Issue[] {
  const seen = new Set<string>();
  return inputs.flatMap(({ id: given }, index): Issue[] => {
    const id = given?.toLowerCase();
    if (id === undefined) return [];
    const path = `/lineItems/${index}/id`;
    if (!known.has(id)) return [{ path, code: 'not_found', message: 'is no line of this order' }];
    if (seen.has(id)) return [{ path, code: 'duplicate', message: 'is named twice' }];
    seen.add(id);
    return [];
  });
}

function lineIssues(
  input: LineItemInput,
  index: number,
  variant: LineVariant | undefined,
  { supplierProducts }: References,
): Issue[] {
  if (variant === undefined) return [];
  const path = `/lineItems/${index}`;
  if (variant.is_bundle) return [{ path, code: 'not_allowed', message: 'is a bundle: order its components' }];
  const sold = supplierProducts[variant.id];
  if (input.supplierProductId == null || input.supplierProductId.toLowerCase() === sold) return [];
  const message = 'is not what this supplier sells the variant as';
  return [{ path: `${path}/supplierProductId`, code: 'not_found', message }];
}

const unusable = {
  missing: ['unknown_variant', 'variant_not_found', 'names no product variant'],
  ambiguous: ['ambiguous_variant', 'ambiguous_variant', 'matches more than one product variant'],
  archived: ['variant_archived', 'variant_archived', 'names an archived product variant'],
} as const satisfies Record<string, readonly [ErrorCode, string, string]>;

function requireFound(matches: readonly LineMatch[], others: readonly Issue[]): void {
  const failures = matches.flatMap(({ status }, index) => {
    if (status === 'found') return [];
    const [error, code, message] = unusable[status];
    return [{ error, issue: { path: `/lineItems/${index}`, code, message } }];
  });
  const issues = [...others, ...failures.map(({ issue }) => issue)];
  if (others.length > 0) throw invalid(issues);
  if (failures.length > 0) throw new ApiError(failures[0]!.error, { issues });
}

function newLine(
  input: LineItemInput,
  position: number,
  variant: LineVariant,
  { supplierProducts }: References,
  known: KnownLines,
): LineRow {
  const id = input.id?.toLowerCase();
  const priced = {
    requestedQuantity: input.requestedQuantity,
    unitPrice: money(input.unitPrice),
    taxRate: rate(input.taxRate),
  };
  return {
    id: id ?? newId(),
    position,
    productVariantId: variant.id,
    supplierProductId: supplierProducts[variant.id] ?? null,
    ...priced,
    subtotal: lineSubtotal(priced),
    createdAt: id === undefined ? null : (known.get(id)?.createdAt ?? null),
  };
}

/** @throws 400 when the order comes to more than an amount can be */
function requirePayable(lines: readonly LineRow[]): void {
  if (Number(totalsOf(lines).grandTotal) <= limits.moneyMax) return;
  const message = `come to more than ${limits.moneyMax}`;
  throw invalid([{ path: '/lineItems', code: 'out_of_range', message }]);
}
