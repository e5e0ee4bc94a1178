// What an account of a simulated carrier can be told.
import { Check } from 'typebox/value';
import { object, oneOf, type Static, Type } from '../../http/schemas.ts';
import { type CarrierAccount, CarrierError } from '../carrier.ts';
import { type ExampleCarrier, exampleCarriers } from '../rate-card/example-cards.ts';
import { faultNames } from './faults.ts';

const Seconds = Type.Number({ minimum: 0.01, maximum: 86_400 });

export const SimulatedSettings = object({
  /** From one scan of a parcel to the next. */
  trackingPaceSeconds: Type.Optional(Seconds),
  /** How long a slow answer takes. */
  slowSeconds: Type.Optional(Seconds),
  /** How long a fault lasts that passes, from when the shipment was made. */
  faultSeconds: Type.Optional(Seconds),
  /** Of every call, as if each went to that fault's postal code. */
  fault: Type.Optional(oneOf(faultNames)),
});
export type SimulatedSettings = Static<typeof SimulatedSettings>;

type Paces = Required<Omit<SimulatedSettings, 'fault'>>;

const defaults: Paces = { trackingPaceSeconds: 60, slowSeconds: 5, faultSeconds: 20 };

/** @throws CarrierError carrier_credentials */
export function settingsOf({ settings }: CarrierAccount): SimulatedSettings & Paces {
  if (Check(SimulatedSettings, settings)) return { ...defaults, ...settings };
  throw new CarrierError('carrier_credentials', 'its settings are not those of a simulated carrier', {
    bought: 'no',
  });
}

/** @throws CarrierError carrier_credentials */
export function carrierOf({ carrierCode }: CarrierAccount): ExampleCarrier {
  const carrier = exampleCarriers.find((code) => code === carrierCode);
  if (carrier !== undefined) return carrier;
  const message = `no carrier ${carrierCode} is simulated (there are ${exampleCarriers.join(', ')})`;
  throw new CarrierError('carrier_credentials', message, { bought: 'no' });
}
