// What customs are told of a parcel that leaves its country: as it was sent, or from the lines of its order.
import Big from 'big.js';
import type { Customs, CustomsItem } from '../carriers/carrier.ts';
import type { Executor } from '../database/connect.ts';
import { ApiError, type Issue, invalid } from '../errors.ts';
import type { Address } from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { type CustomsLine, findOrderForCustoms } from './queries-order.ts';
import type { CustomsInput } from './schema-parts.ts';

export interface CustomsRequest {
  shipTo: Address;
  shipFrom: Address;
  orderId: string | null;
  customsInput: CustomsInput | null;
}

/**
 * Null within one country, unless customs were sent all the same. The items that are left out are what is open of
 * the order's lines, or what was ordered where nothing is open.
 * @throws 400 for an unknown order, 400 customs_required
 */
export async function customsFor(
  database: Executor,
  organizationId: string,
  { shipTo, shipFrom, orderId, customsInput }: CustomsRequest,
): Promise<Customs | null> {
  const lines = orderId === null ? [] : await findOrderForCustoms(database, organizationId, orderId);
  if (lines === undefined) {
    throw invalid([{ path: '/orderId', code: 'not_found', message: 'is no order' }]);
  }
  if (customsInput === null && !differ(shipTo.country, shipFrom.country)) return null;
  const items = customsInput?.items?.map(givenItem) ?? lines.map(itemOfLine);
  if (items.length === 0) throw customsRequired(customsInput, orderId);
  return {
    contentsType: customsInput?.contentsType ?? 'merchandise',
    contentsExplanation: customsInput?.contentsExplanation ?? null,
    signer: customsInput?.signer ?? null,
    nonDeliveryOption: customsInput?.nonDeliveryOption ?? 'return',
    incoterm: customsInput?.incoterm ?? null,
    eelPfc: customsInput?.eelPfc ?? null,
    items,
  };
}

/** What is not known is no difference: whoever carries it will ask. */
function differ(one: string | null, other: string | null): boolean {
  return Boolean(one) && Boolean(other) && one !== other;
}

function customsRequired(customsInput: CustomsInput | null, orderId: string | null): ApiError {
  const path = customsInput === null ? '/customsInput' : '/customsInput/items';
  const message =
    orderId === null
      ? 'is needed between two countries without an orderId'
      : 'is needed: no line of the order is shipped';
  const issues: Issue[] = [{ path, code: 'required', message }];
  return new ApiError('customs_required', { issues });
}

function givenItem(item: NonNullable<CustomsInput['items']>[number]): CustomsItem {
  return {
    description: item.description,
    quantity: item.quantity,
    value: item.value,
    currency: item.currency,
    weight: item.weight ?? null,
    weightUnit: item.weightUnit,
    tariffCode: item.tariffCode ?? null,
    countryOfOrigin: item.countryOfOrigin?.toUpperCase() ?? null,
    sku: item.sku ?? null,
    eccn: item.eccn ?? null,
  };
}

function itemOfLine(line: CustomsLine): CustomsItem {
  const { quantity } = line;
  const description = line.title === '' ? line.productName : `${line.productName}, ${line.title}`;
  return {
    description: description.slice(0, limits.nameLengthMax),
    quantity,
    value: new Big(line.price).times(quantity).toNumber(),
    currency: line.currency,
    weight: line.weight === null ? null : new Big(line.weight).times(quantity).toNumber(),
    weightUnit: line.weightUnit,
    tariffCode: line.tariffCode,
    countryOfOrigin: line.countryOfOrigin?.toUpperCase() ?? null,
    sku: line.sku,
    eccn: line.eccn,
  };
}
