// Imports suppliers: one with the same name is there.
import { createSupplier } from '../../suppliers/create-supplier.ts';
import { findSupplierNames } from '../../suppliers/queries.ts';
import { CreateSupplierBody } from '../../suppliers/schema.ts';
import type { Kind } from './kind.ts';
import { writeEach } from './write-each.ts';

export const suppliers: Kind = {
  schema: CreateSupplierBody,
  batchSize: 400,
  async write(importing, rows) {
    const names = rows.map(({ body }) => (body as CreateSupplierBody).name);
    const { database, organizationId } = importing;
    const known = await findSupplierNames(database, organizationId, names);
    const isThere = (name: string, index: number) => known.has(name) || names.indexOf(name) < index;
    return writeEach<CreateSupplierBody>(importing, rows, (_, index) => isThere(names[index]!, index), {
      write: createSupplier,
      together: 50,
    });
  },
};
