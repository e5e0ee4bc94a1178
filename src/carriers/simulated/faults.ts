// What simulated carriers do wrong when they are asked to, and the postal codes that ask for it.
import type { Address } from '../../http/schemas.ts';

/**
 * Ship to one of these in the United States (no ZIP code below 00501 was ever assigned), or give an account the fault
 * in `settings.fault`, and all its calls have it.
 */
export const faults = [
  {
    postalCode: '00001',
    fault: 'buy-timeout-before',
    happens: 'The purchase is never answered; nothing is bought',
  },
  {
    postalCode: '00002',
    fault: 'buy-timeout-after',
    happens: 'A label is bought, and the answer never comes',
  },
  {
    postalCode: '00003',
    fault: 'buy-timeout-at-first',
    happens: 'As 00001 while the shipment is younger than `settings.faultSeconds`; then all is well',
  },
  {
    postalCode: '00004',
    fault: 'buy-slow',
    happens: 'The purchase is answered after `settings.slowSeconds`',
  },
  {
    postalCode: '00005',
    fault: 'buy-malformed-before',
    happens: 'The answer to the purchase makes no sense; nothing is bought',
  },
  {
    postalCode: '00006',
    fault: 'buy-malformed-after',
    happens: 'A label is bought; the answer makes no sense',
  },
  {
    postalCode: '00007',
    fault: 'buy-overloaded',
    happens: 'The purchase is answered 429; nothing is bought',
  },
  {
    postalCode: '00008',
    fault: 'buy-refused',
    happens: 'The carrier refuses the address; nothing is bought',
  },
  {
    postalCode: '00009',
    fault: 'buy-outcome-hidden',
    happens: 'As 00002, and the carrier cannot be asked what became of it for `settings.faultSeconds`',
  },
  { postalCode: '00011', fault: 'rate-timeout', happens: 'Rates are never answered' },
  { postalCode: '00012', fault: 'rate-error', happens: 'Rates are answered 500' },
  {
    postalCode: '00013',
    fault: 'rate-malformed',
    happens: 'The answer to the question for rates makes no sense',
  },
  { postalCode: '00014', fault: 'rate-slow', happens: 'Rates are answered after `settings.slowSeconds`' },
  { postalCode: '00021', fault: 'void-refused', happens: 'The money for a voided label is not given back' },
  {
    postalCode: '00022',
    fault: 'void-submitted',
    happens: 'A void is submitted first, and voided once `settings.trackingPaceSeconds` are over',
  },
  { postalCode: '00023', fault: 'void-timeout', happens: 'A void is never answered' },
  { postalCode: '00031', fault: 'track-return', happens: 'The parcel cannot be delivered and goes back' },
  { postalCode: '00032', fault: 'track-failure', happens: 'The parcel is lost' },
  { postalCode: '00033', fault: 'track-pickup', happens: 'The parcel waits to be picked up' },
  { postalCode: '00034', fault: 'track-error', happens: 'Tracking is answered 500' },
] as const;

export type Fault = (typeof faults)[number]['fault'];

export const faultNames = faults.map(({ fault }) => fault);

/** What goes wrong with a call: what the account is set to, or what the postal code asks for. */
export function faultOf(settings: { fault?: Fault }, shipTo: Partial<Address>): Fault | undefined {
  const inUnitedStates = !shipTo.country || shipTo.country.toUpperCase() === 'US';
  const zip = shipTo.postalCode?.trim().slice(0, 5);
  return settings.fault ?? faults.find(({ postalCode }) => inUnitedStates && postalCode === zip)?.fault;
}
