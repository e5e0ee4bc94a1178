// Opens a return order: of an order's lines, or blind.
import { newId } from '../database/ids.ts';
import { ApiError, type Issue, invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { announceReturnOrder, changeOfOrder } from './announce.ts';
import {
  exceededIssue,
  linesMeant,
  meaningIssue,
  namesVariant,
  type OpenLine,
  takeUnits,
} from './open-lines.ts';
import { insertReturnOrder, type NewReturnLine } from './queries.ts';
import { findReturnableOrder } from './queries-lines.ts';
import { findReturnedVariants } from './returned-variants.ts';
import type { CreateReturnOrderBody } from './schema.ts';

type Inputs = CreateReturnOrderBody['lineItems'];

/** @throws 400 invalid_parameters, unknown_variant, ambiguous_variant; 409 quantity_exceeded */
export async function createReturnOrder(
  write: Write,
  body: CreateReturnOrderBody,
  name: string,
): Promise<Found> {
  const { reason = null, label = null, metadata = {} } = body;
  const orderId = body.orderId?.toLowerCase() ?? null;
  const id = newId();
  await changeOfOrder(write, orderId, async () => {
    const order = orderId === null ? null : await returnableOrder(write, orderId);
    const lineItems =
      order === null ? await blindLines(write, body.lineItems) : linesOf(order.lines, body.lineItems);
    insertReturnOrder(write, order, { id, name, reason, label, metadata, lineItems });
  });
  return announceReturnOrder(write, id);
}

async function returnableOrder(write: Write, orderId: string) {
  const order = await findReturnableOrder(write, orderId);
  if (order === undefined) {
    throw invalid([{ path: '/orderId', code: 'not_found', message: 'is no order' }]);
  }
  return order;
}

/**
 * Before anything has left, too, a return may be asked for; together they never ask for more than was ordered
 * and not cancelled.
 */
function linesOf(lines: readonly OpenLine[], inputs: Inputs): NewReturnLine[] {
  const wrong: Issue[] = [];
  const exceeded: Issue[] = [];
  if (inputs.length === 0) {
    wrong.push({ path: '/lineItems', code: 'too_few', message: 'must NOT have fewer than 1 items' });
  }
  const taken = inputs.flatMap((input, index) => {
    const path = `/lineItems/${index}`;
    const meant = linesMeant(input, lines);
    const issue = meaningIssue(input, meant, path);
    if (issue !== undefined) {
      wrong.push(issue);
      return [];
    }
    const units = takeUnits(input, meant);
    if (units.missing > 0) exceeded.push(exceededIssue(path, input.quantity, units.missing, meant));
    return units.taken;
  });
  if (wrong.length > 0) throw invalid(wrong);
  if (exceeded.length > 0) throw new ApiError('quantity_exceeded', { issues: exceeded });
  return taken.map(({ line, quantity }) => ({
    id: newId(),
    orderLineItemId: line.id,
    productVariantId: line.productVariantId,
    sku: line.productVariantSku,
    quantity,
  }));
}

async function blindLines(write: Write, inputs: Inputs): Promise<NewReturnLine[]> {
  const path = (index: number) => `/lineItems/${index}`;
  const issues: Issue[] = inputs.flatMap((input, index) => {
    if (input.lineItemId != null) {
      return [{ path: `${path(index)}/lineItemId`, code: 'not_allowed', message: 'needs an orderId' }];
    }
    if (namesVariant(input)) return [];
    return [{ path: path(index), code: 'required', message: 'must name a product variant' }];
  });
  if (issues.length > 0) throw invalid(issues);
  const variants = await findReturnedVariants(
    write,
    inputs,
    inputs.map((_, index) => path(index)),
  );
  return variants.map((variant, index) => ({
    id: newId(),
    orderLineItemId: null,
    productVariantId: variant.id,
    sku: variant.sku,
    quantity: inputs[index]!.quantity,
  }));
}
