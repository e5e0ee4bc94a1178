// Carrier accounts and their rate cards on the wire.
import { RateCard } from '../carriers/rate-card/schema.ts';
import {
  DateTime,
  Day,
  defaulted,
  Id,
  listQuery,
  nullable,
  object,
  oneOf,
  requiredText,
  type Static,
  Type,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';

/** What rates, shipments and manifests show of their account. */
export const CarrierAccountSummary = object({
  id: Id,
  carrierCode: Type.String(),
  description: Type.String(),
});

const kind = oneOf(['rate-card', 'easypost', 'simulated'], {
  description:
    '`rate-card`: prices, zones and tracking numbers are the account’s own data; `easypost`: through EasyPost; `simulated`: in the test environment only',
});
const carrierCode = Type.String({
  pattern: '^[A-Za-z0-9._-]+$',
  maxLength: limits.codeLengthMax,
  description: 'What rates and shipments call the carrier',
  examples: ['ups'],
});
const description = requiredText(limits.nameLengthMax, { examples: ['UPS, warehouse Reno'] });
const enabled = Type.Boolean({ description: 'Whether quotes ask it' });
const sharedWithChildren = Type.Boolean({
  description:
    'Every client organization, also one made later, sees the account under the same id and may buy through it; credentials and rate cards stay with the owner, and only the owner changes it.',
});
const settings = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'What a kind can be told: `easypost` takes `easypostCarrier`, `carrierAccountIds` and `taxIdentifiers`, `simulated` takes `fault`, `faultSeconds`, `slowSeconds` and `trackingPaceSeconds`, `rate-card` nothing. An update replaces all of them',
  examples: [{ carrierAccountIds: ['ca_7642d249fdcf47bcb5da9ea34c96dfcf'] }],
});
const credentials = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: limits.nameLengthMax },
  description:
    'Encrypted, and never answered: `easypost` takes `apiKey` and `webhookSecret`, the others nothing. An update replaces all of them; null removes them',
  examples: [{ apiKey: 'EZAK0123456789' }],
});

export const CarrierAccount = object({
  id: Id,
  organizationId: { ...Id, description: 'The organization that owns it: the parent, where it is shared' },
  carrierCode: Type.String(),
  description: Type.String(),
  kind,
  enabled,
  settings,
  hasCredentials: Type.Boolean(),
  sharedWithChildren,
  createdAt: DateTime,
  updatedAt: DateTime,
  archivedAt: nullable(DateTime),
});

const accountFields = {
  enabled: Type.Optional(enabled),
  settings: Type.Optional(settings),
  credentials: Type.Optional(nullable(credentials)),
  sharedWithChildren: Type.Optional(sharedWithChildren),
};

export const CreateCarrierAccountBody = object(
  { carrierCode, description, kind, ...accountFields, rateCard: Type.Optional(nullable(RateCard)) },
  {
    examples: [
      {
        carrierCode: 'ups',
        description: 'UPS through EasyPost',
        kind: 'easypost',
        credentials: { apiKey: 'EZAK0123456789' },
      },
    ],
  },
);
export type CreateCarrierAccountBody = Static<typeof CreateCarrierAccountBody>;

export const UpdateCarrierAccountBody = object(
  {
    description: Type.Optional(description),
    ...accountFields,
    archived: Type.Optional(Type.Boolean({ description: '`true` archives, `false` brings back' })),
  },
  { examples: [{ enabled: false }] },
);
export type UpdateCarrierAccountBody = Static<typeof UpdateCarrierAccountBody>;

export const accountSorts = ['createdAt', 'updatedAt', 'carrierCode', 'description'] as const;
export const ListCarrierAccountsQuery = listQuery(accountSorts, {
  includeArchived: defaulted(Type.Boolean({ default: false })),
});
export type ListCarrierAccountsQuery = Static<typeof ListCarrierAccountsQuery>;

const cardSummary = {
  id: Id,
  name: Type.String(),
  effectiveFrom: { ...Day, description: 'The newest card in force on the shipping date counts' },
  createdAt: DateTime,
};
export const RateCardSummary = object(cardSummary);
export const RateCardRecord = object({ ...cardSummary, card: RateCard });

/** A card's own fields, or `csv` alone. Defaults are filled in where a card is checked. */
const cardFields = Object.fromEntries(
  Object.entries<object>(RateCard.properties).map(([name, schema]) => [
    name,
    Type.Optional(Type.Unsafe({ ...schema, default: undefined })),
  ]),
);
export const CreateRateCardBody = Type.Unsafe<Partial<RateCard> & { csv?: string }>(
  object(
    {
      ...cardFields,
      csv: Type.Optional(
        requiredText(limits.rateCardBytes, {
          description:
            'The card as CSV, in place of all other fields; docs/rate-cards.md describes both forms',
        }),
      ),
    },
    { examples: [{ csv: 'name,Vans 2027\n…' }] },
  ),
);
export type CreateRateCardBody = Static<typeof CreateRateCardBody>;

export const rateCardSorts = ['effectiveFrom', 'createdAt', 'name'] as const;
export const ListRateCardsQuery = listQuery(rateCardSorts, {});
export type ListRateCardsQuery = Static<typeof ListRateCardsQuery>;
