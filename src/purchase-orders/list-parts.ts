// The parts of a list of purchase orders: by warehouse and status, each in the order of an index for every sort.
import { type Sql, sql } from '../database/connect.ts';
import { type Organizations, owned } from '../database/tenant.ts';
import { listed, type Parts, partsByOrganization } from '../http/parts.ts';
import { type ListPurchaseOrdersQuery, purchaseOrderStatuses } from './schema.ts';

/** Undefined where the list is in the order of one index, or has to be searched for. */
export function partsOf(organizations: Organizations, query: ListPurchaseOrdersQuery): Parts | undefined {
  const { search, sortBy = 'createdAt', status, supplierId, warehouseId, includeArchived } = query;
  if (search !== undefined) return undefined;
  if (sortBy === 'supplier.name') return partsBySupplier(organizations, query);
  const unfiltered = [status, supplierId, warehouseId].every((filter) => filter === undefined);
  if (sortBy === 'createdAt' && unfiltered && !includeArchived) {
    return partsByOrganization('purchase_orders', 'p', organizations, [sql`p.archived_at is null`]);
  }
  return partsByWarehouse(organizations, query);
}

/** Of one supplier's there are indexes that begin with the supplier. */
export function partsByWarehouse(
  organizations: Organizations,
  { warehouseId, status, includeArchived }: ListPurchaseOrdersQuery,
): Parts {
  const ofWarehouse = warehouseId === undefined ? sql`` : sql` and w.id = ${warehouseId}`;
  return {
    from: sql`(select w.organization_id, w.id, w.name from warehouses w
      where ${owned('w', organizations)}${ofWarehouse}) part
      cross join unnest(${status === undefined ? purchaseOrderStatuses : [status]}::text[]) state (status)
      cross join unnest(${includeArchived ? [true, false] : [true]}::bool[]) archive (kept)`,
    of: [
      sql`p.organization_id = part.organization_id`,
      sql`p.warehouse_id = part.id`,
      sql`p.status = state.status`,
      sql`(p.archived_at is null) = archive.kept`,
    ],
    ...listed('purchase_orders', 'p', organizations),
  };
}

/** There may be many suppliers, of which few have orders in each status and warehouse; the totals know which. */
function partsBySupplier(
  organizations: Organizations,
  { supplierId, warehouseId, status, includeArchived }: ListPurchaseOrdersQuery,
): Parts {
  const where: Sql<unknown>[] = [owned('t', organizations), sql`t.purchase_orders > 0`];
  if (supplierId !== undefined) where.push(sql`t.supplier_id = ${supplierId}`);
  if (warehouseId !== undefined) where.push(sql`t.warehouse_id = ${warehouseId}`);
  if (status !== undefined) where.push(sql`t.status = ${status}`);
  if (!includeArchived) where.push(sql`not t.archived`);
  return {
    from: sql`(select t.*, s.name as supplier_name from purchase_order_totals t
      join suppliers s on ${owned('s', organizations, 't')} and s.id = t.supplier_id
      where ${sql.join(where, sql` and `)}) part`,
    of: [
      sql`p.organization_id = part.organization_id`,
      sql`p.supplier_id = part.supplier_id`,
      sql`p.warehouse_id = part.warehouse_id`,
      sql`p.status = part.status`,
      sql`(p.archived_at is null) = not part.archived`,
    ],
    ...listed('purchase_orders', 'p', organizations),
  };
}
