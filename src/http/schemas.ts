// Building blocks of the wire schemas: strict objects, nullable values, money, times, addresses, envelopes.
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import * as limits from '../limits.ts';

export type { Static, TSchema } from 'typebox';
export { Type };

/** An object that refuses every field it does not list. */
export function object<T extends TProperties>(
  properties: T,
  options: Type.TObjectOptions = {},
): Type.TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** The body of an action that takes nothing. */
export const NoBody = object({});

/** The same value, or null. */
export function nullable<T extends TSchema>(schema: T): Type.TUnsafe<Static<T> | null> {
  const plain = schema as unknown as { type?: string; enum?: unknown[] };
  if (plain.type === undefined) return Type.Unsafe({ anyOf: [schema, { type: 'null' }] });
  return Type.Unsafe({
    ...schema,
    type: [plain.type, 'null'],
    ...(plain.enum === undefined ? {} : { enum: [...plain.enum, null] }),
  });
}

/** A field that may be left out and then is its default, so that code always finds a value. */
export function defaulted<T extends TSchema>(schema: T): T {
  return Type.Optional(schema) as unknown as T;
}

export function oneOf<const T extends readonly string[]>(
  values: T,
  options: Record<string, unknown> = {},
): Type.TUnsafe<T[number]> {
  return Type.Unsafe({ type: 'string', enum: [...values], ...options });
}

export function text(maxLength: number, options: Type.TStringOptions = {}): Type.TString {
  return Type.String({ maxLength, ...options });
}

export function requiredText(maxLength: number, options: Type.TStringOptions = {}): Type.TString {
  return Type.String({ minLength: 1, maxLength, ...options });
}

export const Id = Type.String({ format: 'uuid', examples: ['019a6b0e-5f1c-7c3a-9d2e-4b1f6a7c8d90'] });
export const DateTime = Type.String({
  format: 'date-time',
  description: 'ISO 8601 with an offset; answers are always UTC with `Z`',
  examples: ['2026-11-21T10:15:00.000Z'],
});
export const Day = Type.String({ format: 'date', examples: ['2026-11-21'] });
export const Money = Type.Number({
  minimum: 0,
  maximum: limits.moneyMax,
  description: 'Rounded half-even to four decimals',
  examples: [19.99],
});
export const Measure = Type.Number({ minimum: 0, maximum: limits.measureMax, examples: [12.5] });
export const Quantity = Type.Integer({ minimum: 0, maximum: limits.quantityMax });
export const PositiveQuantity = Type.Integer({ minimum: 1, maximum: limits.quantityMax, examples: [2] });
export const Currency = Type.String({
  pattern: '^[a-z]{3}$',
  description: 'ISO 4217 code in lower case',
  examples: ['usd'],
});
export const Country = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'ISO 3166-1 alpha-2; answered in upper case',
  examples: ['US'],
});
export const WeightUnit = oneOf(['oz', 'lb', 'g', 'kg']);
export const DimensionsUnit = oneOf(['in', 'cm']);
export const Dimensions = object({
  length: nullable(Measure),
  width: nullable(Measure),
  height: nullable(Measure),
});
export const DimensionsInput = object({
  length: Type.Optional(nullable(Measure)),
  width: Type.Optional(nullable(Measure)),
  height: Type.Optional(nullable(Measure)),
});

export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: limits.metadataKeysMax,
  propertyNames: { minLength: 1, maxLength: limits.metadataKeyLengthMax },
  additionalProperties: { type: 'string', maxLength: limits.metadataValueLengthMax },
  description: 'For the caller: a flat map of strings that the service stores and returns',
  examples: [{ channel: 'web' }],
});

const addressPart = nullable(text(limits.addressPartLengthMax));
const addressParts = {
  name: addressPart,
  company: addressPart,
  street1: addressPart,
  street2: addressPart,
  city: addressPart,
  state: addressPart,
  postalCode: addressPart,
  country: addressPart,
  phone: addressPart,
  email: addressPart,
  facilityCode: addressPart,
  isResidential: nullable(Type.Boolean()),
  isVerified: nullable(Type.Boolean()),
  taxIdentifier: addressPart,
};
export const Address = object(addressParts, { $id: 'Address', title: 'Address' });
export type Address = Static<typeof Address>;
/** An address in an answer: a reference to the one description of it. */
export const AddressReference = Type.Unsafe<Address>({ $ref: 'Address#' });

export const AddressInput = object(
  {
    ...(Object.fromEntries(
      Object.entries(addressParts).map(([name, schema]) => [name, Type.Optional(schema)]),
    ) as { [K in keyof typeof addressParts]: Type.TOptional<(typeof addressParts)[K]> }),
    // An empty string stands for an unset country, as it does for every other part.
    country: Type.Optional(nullable(Type.String({ pattern: '^([A-Za-z]{2})?$', examples: ['US'] }))),
  },
  {
    examples: [
      {
        name: 'Ada Byron',
        street1: '1 Main St',
        city: 'Springfield',
        state: 'IL',
        postalCode: '62701',
        country: 'US',
      },
    ],
  },
);
export type AddressInput = Static<typeof AddressInput>;

/** The single-record envelope. */
export function single<T extends TSchema>(kind: string, record: T) {
  return object({ object: Type.Literal(kind), data: record });
}

/** The list envelope. */
export function listOf<T extends TSchema>(record: T) {
  return object({
    object: Type.Literal('list'),
    data: Type.Array(record),
    hasMore: Type.Boolean({ description: 'Whether more records follow' }),
    totalCount: Type.Integer({ description: 'Exact number of matching records' }),
    limit: Type.Integer({ description: 'Page size applied' }),
    nextCursor: nullable(Type.String({ description: 'Cursor for the next page; null on the last' })),
  });
}

/** The query parameters that every list takes, with the sort names of this one. */
export function listQuery<const S extends readonly string[], T extends TProperties>(
  sortBy: S,
  properties: T,
  defaults: { sortOrder?: 'asc' | 'desc' } = {},
) {
  return object({
    limit: defaulted(
      Type.Integer({ minimum: 1, maximum: limits.pageLimitMax, default: limits.pageLimitDefault }),
    ),
    page: defaulted(Type.Integer({ minimum: 1, maximum: limits.pageMax, default: 1 })),
    cursor: Type.Optional(
      requiredText(limits.cursorLengthMax, { description: 'From `nextCursor`; wins over `page`' }),
    ),
    search: Type.Optional(
      requiredText(limits.searchLengthMax, { description: 'Case-insensitive part of a text' }),
    ),
    sortBy: Type.Optional(oneOf(sortBy)),
    sortOrder: defaulted(oneOf(['asc', 'desc'], { default: defaults.sortOrder ?? 'desc' })),
    ...properties,
  });
}

export const ErrorBody = object(
  {
    error: object({
      message: Type.String(),
      details: Type.Object(
        {
          code: Type.String({ description: 'Stable, for programs' }),
          requestId: Type.String(),
          issues: Type.Optional(
            Type.Array(object({ path: Type.String(), code: Type.String(), message: Type.String() })),
          ),
        },
        { additionalProperties: true },
      ),
    }),
  },
  { $id: 'Error', title: 'Error' },
);
