// Creates a supplier.
import { newId } from '../database/ids.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { findSupplier, insertSupplier } from './queries.ts';
import type { CreateSupplierBody } from './schema.ts';

export async function createSupplier(write: Write, body: CreateSupplierBody): Promise<Found> {
  const { name, email = null, phone = null, currency, metadata = {} } = body;
  const id = newId();
  insertSupplier(write, id, { name, email, phone, currency, metadata });
  return (await findSupplier(write.transaction, write.scope.organizationId, id))!;
}
