// A new order from its request: pure, before any stock is looked at.
import { address } from '../address.ts';
import type { Demand, Requirement } from '../allocation/allocate.ts';
import { newId } from '../database/ids.ts';
import { ApiError, type Issue, invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Address } from '../http/schemas.ts';
import { money } from '../money.ts';
import { newNote, newTag } from '../notes.ts';
import type { LineMatch, LineVariant } from '../products/variant-lookup.ts';
import type { CreateOrderBody, FinancialStatus, FulfillmentStatus, LineItemInput } from './schema.ts';

export interface NewOrder {
  id: string;
  name: string;
  alias: string | null;
  uniqueAlias: boolean;
  price: string;
  compareAtPrice: string | null;
  currency: string;
  financialStatus: FinancialStatus;
  fulfillmentStatus: FulfillmentStatus;
  statusBeforeHold: FulfillmentStatus | null;
  orderDate: Date;
  targetDeliveryDate: Date | null;
  shipToAddress: Address | null;
  shipMethod: object | null;
  insuranceRequest: object | null;
  customerId: string | null;
  warehouseId: string | null;
  tags: object[];
  notes: object[];
  tasks: object[];
  metadata: Record<string, string>;
  searchText: string;
  readyToShip: boolean;
}

export interface NewLine {
  id: string;
  position: number;
  variant: LineVariant;
  price: string;
  compareAtPrice: string | null;
  quantity: number;
  quantityAllocated: number;
  quantityBackordered: number;
  quantityFulfilled: number;
}

export function newOrder(
  write: Write,
  body: CreateOrderBody,
  name: string,
  lines: readonly NewLine[],
): NewOrder {
  const alias = body.alias ?? null;
  const searched = [name, alias ?? '', ...lines.map((line) => line.variant.sku)];
  return {
    id: newId(),
    name,
    alias,
    uniqueAlias: body.uniqueAlias && alias !== null,
    price: money(body.price),
    compareAtPrice: body.compareAtPrice == null ? null : money(body.compareAtPrice),
    currency: body.currency,
    financialStatus: body.financialStatus,
    fulfillmentStatus: body.fulfillmentStatus,
    statusBeforeHold: body.fulfillmentStatus === 'on-hold' ? 'open' : null,
    orderDate: new Date(body.orderDate),
    targetDeliveryDate: body.targetDeliveryDate == null ? null : new Date(body.targetDeliveryDate),
    shipToAddress: body.shipToAddress == null ? null : address(body.shipToAddress),
    shipMethod: shipMethod(body.shipMethod),
    insuranceRequest: insuranceRequest(body.insuranceRequest),
    customerId: body.customerId ?? null,
    warehouseId: body.warehouseId?.toLowerCase() ?? null,
    tags: body.tags.map((tag) => newTag(write.scope.organizationId, tag)),
    notes: body.notes.map((content) => newNote(write, content)),
    tasks: isHistory(body.fulfillmentStatus) ? [] : newTasks(write, lines),
    metadata: body.metadata ?? {},
    searchText: [...new Set(searched)].join('\n').toLowerCase(),
    readyToShip: false,
  };
}

/** What has to be done before the order is on its way; nothing where no line is shipped. */
function newTasks(write: Write, lines: readonly NewLine[]): object[] {
  if (!lines.some((line) => line.variant.requires_shipping)) return [];
  const at = write.now.toISOString();
  return (['pick', 'ship'] as const).map((type) => ({
    id: newId(),
    type,
    completedAt: null,
    createdAt: at,
    updatedAt: at,
  }));
}

export function shipMethod(input: CreateOrderBody['shipMethod']): object | null {
  if (input == null) return null;
  const { carrierCode = null, serviceCode = null, description = null } = input;
  return { carrierCode, serviceCode, description };
}

export function insuranceRequest(input: CreateOrderBody['insuranceRequest']): object | null {
  return input == null ? null : { amount: Number(money(input.amount)), currency: input.currency };
}

/** An order that arrives already fulfilled, in part or whole, is history: it takes no stock. */
export function isHistory(status: FulfillmentStatus): boolean {
  return status === 'fulfilled' || status === 'partially-fulfilled';
}

/**
 * The lines with their variants.
 * @throws 400 unknown_variant, ambiguous_variant or variant_archived, whichever comes first, naming every such line
 */
export function newLines(body: CreateOrderBody, matches: readonly LineMatch[]): NewLine[] {
  requireFound(matches);
  const fulfilled = body.fulfillmentStatus === 'fulfilled';
  return body.lineItems.map((input: LineItemInput, position) => {
    const { variant } = matches[position] as { variant: LineVariant };
    return {
      id: newId(),
      position,
      variant,
      price: input.price == null ? variant.price : money(input.price),
      compareAtPrice: input.compareAtPrice == null ? null : money(input.compareAtPrice),
      quantity: input.quantity,
      quantityAllocated: 0,
      quantityBackordered: 0,
      quantityFulfilled: fulfilled ? input.quantity : 0,
    };
  });
}

const unusable = [
  ['missing', 'unknown_variant', 'variant_not_found', 'names no product variant'],
  ['ambiguous', 'ambiguous_variant', 'ambiguous_variant', 'matches more than one product variant'],
  ['archived', 'variant_archived', 'variant_archived', 'names an archived product variant'],
] as const;

function requireFound(matches: readonly LineMatch[]): void {
  const issues = (status: LineMatch['status'], code: string, message: string): Issue[] =>
    matches.flatMap((match, index) =>
      match.status === status ? [{ path: `/lineItems/${index}`, code, message }] : [],
    );
  const all = unusable.flatMap(([status, , code, message]) => issues(status, code, message));
  if (all.length === 0) return;
  const [, error] = unusable.find(([status]) => matches.some((match) => match.status === status))!;
  throw new ApiError(error, { issues: all });
}

/** @throws 400 naming every line that refers to no variant */
export function requireReferences(body: CreateOrderBody): void {
  const issues = body.lineItems.flatMap((line, index) =>
    Object.entries(line).some(([name, value]) => name.startsWith('productVariant') && value != null)
      ? []
      : [{ path: `/lineItems/${index}`, code: 'required', message: 'must name a product variant' }],
  );
  if (issues.length > 0) throw invalid(issues);
}

/** The stock that one unit of a variant takes: itself, a bundle's components, or none. */
export function requirementsOf(variant: LineVariant): Requirement[] {
  if (variant.is_bundle) {
    return variant.components
      .filter((component) => component.tracksInventory)
      .map(({ productVariantId, quantity }) => ({ productVariantId, quantityPerUnit: quantity }));
  }
  return variant.tracks_inventory ? [{ productVariantId: variant.id, quantityPerUnit: 1 }] : [];
}

export function demandOf(line: NewLine): Demand {
  return { orderLineItemId: line.id, quantity: line.quantity, requirements: requirementsOf(line.variant) };
}
