// Changes what the body names of a customer.
import { notFound } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { requireIdentity } from './create-customer.ts';
import { findCustomer, lockCustomer, updateCustomer as storeCustomer } from './queries.ts';
import type { CustomerBody } from './schema.ts';

export async function updateCustomer(write: Write, id: string, body: CustomerBody): Promise<Found> {
  const row = await lockCustomer(write, id);
  if (row === undefined) throw notFound('customer');
  requireVersion(write, row.version);
  const changed = { ...row, ...body };
  requireIdentity({
    name: changed.name,
    email: changed.email,
    phone: changed.phone,
    company: changed.company,
  });
  storeCustomer(write, id, changed);
  return (await findCustomer(write.transaction, write.scope.organizationId, id))!;
}
