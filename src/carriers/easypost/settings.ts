// What a carrier account of kind `easypost` holds, and what its calls need of it.
import { Check, Errors } from 'typebox/value';
import { object, oneOf, type Static, Type } from '../../http/schemas.ts';
import * as limits from '../../limits.ts';
import { type CarrierAccount, CarrierError } from '../carrier.ts';

const name = Type.String({ minLength: 1, maxLength: limits.nameLengthMax });

export const EasyPostSettings = object({
  /** The carrier's name at EasyPost where it is not the account's `carrierCode`, such as `FedExDefault`. */
  easypostCarrier: Type.Optional(name),
  /** Only these of the carrier accounts at EasyPost. Left out: all of them. */
  carrierAccountIds: Type.Optional(
    Type.Array(Type.String({ pattern: '^ca_[0-9A-Za-z]+$', maxLength: limits.codeLengthMax }), {
      minItems: 1,
      maxItems: limits.easypostCarrierAccountsMax,
    }),
  ),
  /** Said to customs with every parcel that crosses a border, such as the sender's IOSS number. */
  taxIdentifiers: Type.Optional(
    Type.Array(
      object({
        entity: oneOf(['SENDER', 'RECEIVER']),
        taxId: name,
        taxIdType: name,
        issuingCountry: Type.String({ pattern: '^[A-Z]{2}$' }),
      }),
      { maxItems: limits.easypostTaxIdentifiersMax },
    ),
  ),
});
export type EasyPostSettings = Static<typeof EasyPostSettings>;

/** `webhookSecret` is the one that the webhook was registered with at EasyPost. */
export const EasyPostCredentials = object({
  apiKey: name,
  webhookSecret: Type.Optional(name),
});

/** @throws CarrierError carrier_credentials, naming what is wrong */
export function settingsOf(account: CarrierAccount): EasyPostSettings {
  const { settings } = account;
  if (Check(EasyPostSettings, settings)) return settings;
  const [first] = Errors(EasyPostSettings, settings);
  const wrong = first === undefined ? '' : `: ${first.instancePath || '/'} ${first.message}`;
  throw new CarrierError('carrier_credentials', `the account's settings are not valid${wrong}`, {
    bought: 'no',
  });
}

/** @throws CarrierError carrier_credentials */
export function apiKeyOf(account: CarrierAccount): string {
  const { apiKey } = account.credentials;
  if (apiKey !== undefined && apiKey !== '') return apiKey;
  throw new CarrierError('carrier_credentials', 'the account has no credentials.apiKey', { bought: 'no' });
}

/** EasyPost writes one carrier's name in several ways: `DHLExpress`, `DhlEcs`. */
export function isCarrier(account: CarrierAccount, easypostName: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return plain(settingsOf(account).easypostCarrier ?? account.carrierCode) === plain(easypostName);
}
