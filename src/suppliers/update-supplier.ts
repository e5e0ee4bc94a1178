// Changes what the body names of a supplier.
import { notFound } from '../errors.ts';
import { requireVersion, type Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { findSupplier, lockSupplier, storeSupplier } from './queries.ts';
import type { UpdateSupplierBody } from './schema.ts';

/** @throws 404, 412 */
export async function updateSupplier(write: Write, id: string, body: UpdateSupplierBody): Promise<Found> {
  const row = await lockSupplier(write, id);
  if (row === undefined) throw notFound('supplier');
  requireVersion(write, row.version);
  const { archived, ...fields } = body;
  const changed = { ...row, ...fields };
  if (archived === true) changed.archivedAt = row.archivedAt ?? write.now;
  if (archived === false) changed.archivedAt = null;
  storeSupplier(write, id, changed);
  return (await findSupplier(write.transaction, write.scope.organizationId, id))!;
}
