// Buys the labels that returns ask for, after the return was opened: one that cannot be had never fails the return.
import Big from 'big.js';
import { systemScope } from '../auth/scope.ts';
import { grams } from '../carriers/units.ts';
import { ApiError } from '../errors.ts';
import * as limits from '../limits.ts';
import type { ShippingAccess } from './access.ts';
import { createShipment } from './create-shipment.ts';
import {
  claimWantedLabels,
  type ReturnedLine,
  type ReturnToLabel,
  readReturnToLabel,
  settleReturnLabel,
  type WantedLabel,
} from './return-label-queries.ts';
import type { CreateShipmentBody } from './schema.ts';

export async function buyReturnLabels(access: ShippingAccess): Promise<void> {
  const wanted = await claimWantedLabels(access.database, new Date());
  await Promise.all(wanted.map((one) => buyOne(access, one)));
}

async function buyOne(access: ShippingAccess, { organizationId, id }: WantedLabel): Promise<void> {
  const { database, log } = access;
  const settle = (failure: string | null) =>
    settleReturnLabel(database, organizationId, id, failure, new Date());
  try {
    const wanted = await readReturnToLabel(database, organizationId, id);
    const body = wanted === undefined ? 'The return is gone' : shipmentOf(id, wanted);
    if (typeof body === 'string') return await settle(body);
    const scope = systemScope(organizationId);
    await createShipment(
      access,
      { database, scope, ids: {}, ifMatch: undefined, idempotent: undefined },
      body,
      id,
    );
    await settle(null);
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'unavailable') {
      // A purchase whose outcome is open goes on by itself.
      const open = error.details?.['purchaseStatus'] === 'unknown';
      return settle(open ? null : wordsOf(error)).catch(() => {});
    }
    const { name, message } = error as Error;
    log.error({ failure: { type: name, message }, task: 'return labels' }, 'background task failed');
  }
}

/** Or why there can be none. */
function shipmentOf(id: string, wanted: ReturnToLabel): CreateShipmentBody | string {
  const { label, customerAddress, warehouseAddress, lines, status } = wanted;
  if (label === null || status !== 'requested') return 'The return no longer waits for its goods';
  if (customerAddress === null) return 'The address of the customer is not known';
  if (warehouseAddress === null) return 'The warehouse has no address';
  const weights = lines.map(weightOf);
  const weight = weights.reduce<Big | undefined>(
    (sum, one) => (one === undefined ? undefined : sum?.plus(one)),
    new Big(0),
  );
  if (weight === undefined || weight.lte(0)) return 'The weight of some of its products is not known';
  const leaves = customerAddress.country !== warehouseAddress.country;
  return {
    shipFromAddress: customerAddress,
    shipToAddress: warehouseAddress,
    packages: [{ weight: weight.round(4, Big.roundUp).toNumber(), weightUnit: 'g', dimensionsUnit: 'in' }],
    ...{ carrierCode: label.carrierCode, serviceCode: label.serviceCode, labelFormat: label.labelFormat },
    ...{ zplDpi: 203, requireVerified: false },
    // With it a label is bought once, however often this runs.
    reference: `return-order:${id}`,
    ...(leaves ? { customsInput: customsOf(lines) } : {}),
  };
}

function weightOf({ weight, weightUnit, quantity }: ReturnedLine): Big | undefined {
  return weight === null ? undefined : grams(weight, weightUnit).times(quantity);
}

function customsOf(lines: readonly ReturnedLine[]): NonNullable<CreateShipmentBody['customsInput']> {
  return {
    contentsType: 'returned-goods',
    nonDeliveryOption: 'return',
    items: lines.map(({ name, quantity, price, currency, weight, weightUnit, ...line }) => ({
      description: name.slice(0, limits.nameLengthMax),
      value: new Big(price).times(quantity).toNumber(),
      weight: weight === null ? null : new Big(weight).times(quantity).toNumber(),
      ...{ quantity, currency, weightUnit, ...line },
    })),
  };
}

function wordsOf({ message, issues, details }: ApiError): string {
  const said = [details?.['carrierMessage'], ...(issues ?? []).map((one) => `${one.path} ${one.message}`)];
  return [message, ...said.filter((words) => typeof words === 'string')]
    .join('; ')
    .slice(0, limits.textLengthMax);
}
