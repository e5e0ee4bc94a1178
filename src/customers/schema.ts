// Customers on the wire.
import {
  DateTime,
  Id,
  listQuery,
  Metadata,
  nullable,
  object,
  type Static,
  Type,
  text,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';

const fields = {
  name: nullable(text(limits.nameLengthMax)),
  email: nullable(text(limits.nameLengthMax)),
  phone: nullable(text(limits.nameLengthMax)),
  company: nullable(text(limits.nameLengthMax)),
};

export const Customer = object({
  id: Id,
  organizationId: Id,
  ...fields,
  metadata: Metadata,
  createdAt: DateTime,
  updatedAt: DateTime,
  archivedAt: nullable(DateTime),
});

/** Create and update take the same body; an update changes what it names. */
export const CustomerBody = object(
  {
    name: Type.Optional(fields.name),
    email: Type.Optional(fields.email),
    phone: Type.Optional(fields.phone),
    company: Type.Optional(fields.company),
    metadata: Type.Optional(Metadata),
  },
  { examples: [{ name: 'Ada Byron', email: 'ada@example.com' }] },
);
export type CustomerBody = Static<typeof CustomerBody>;

export const customerSorts = ['createdAt', 'updatedAt', 'name', 'email', 'company'] as const;
export const ListCustomersQuery = listQuery(customerSorts, {});
export type ListCustomersQuery = Static<typeof ListCustomersQuery>;
