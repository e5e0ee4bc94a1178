// Creates a customer.
import { newId } from '../database/ids.ts';
import { invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { findCustomer, insertCustomer } from './queries.ts';
import type { CustomerBody } from './schema.ts';

export async function createCustomer(write: Write, body: CustomerBody): Promise<Found> {
  const { name = null, email = null, phone = null, company = null, metadata = {} } = body;
  requireIdentity({ name, email, phone, company });
  const id = newId();
  insertCustomer(write, id, { name, email, phone, company, metadata });
  return (await findCustomer(write.transaction, write.scope.organizationId, id))!;
}

/** @throws 400 when none of the four says who the customer is */
export function requireIdentity(
  identity: Record<'name' | 'email' | 'phone' | 'company', string | null>,
): void {
  if (Object.values(identity).some((value) => value !== null && value !== '')) return;
  throw invalid([{ path: '', code: 'required', message: 'needs a name, email, phone or company' }]);
}
