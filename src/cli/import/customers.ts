// Imports customers: one with the same e-mail address, or without one with the same name, phone and company, is there.
import { createCustomer } from '../../customers/create-customer.ts';
import { findCustomersLike } from '../../customers/queries.ts';
import { CustomerBody } from '../../customers/schema.ts';
import type { Kind } from './kind.ts';
import { writeEach } from './write-each.ts';

export const customers: Kind = {
  schema: CustomerBody,
  batchSize: 400,
  async write(importing, rows) {
    const bodies = rows.map(({ body }) => body as CustomerBody);
    const { database, organizationId } = importing;
    const known = new Set((await findCustomersLike(database, organizationId, bodies)).map(identityOf));
    const repeated = new Set<number>();
    for (const [index, body] of bodies.entries()) {
      const identity = identityOf(body);
      if (known.has(identity)) repeated.add(index);
      known.add(identity);
    }
    return writeEach<CustomerBody>(importing, rows, (_, index) => repeated.has(index), {
      write: createCustomer,
      together: 50,
    });
  },
};

function identityOf({ name, email, phone, company }: CustomerBody): string {
  if (email) return JSON.stringify([email]);
  return JSON.stringify([name ?? null, phone ?? null, company ?? null]);
}
