// Rows -> wire objects of warehouses and locations, as PostgreSQL builds them.
import { type Sql, sql } from '../database/connect.ts';
import { column, jsonObject, time } from '../database/json.ts';

export const warehouseJson = jsonObject({
  id: column('w.id'),
  organizationId: column('w.owner_organization_id'),
  name: column('w.name'),
  addressId: column('w.address_id'),
  address: column('w.address'),
  priority: column('w.priority'),
  isThirdParty: column('w.is_third_party'),
  sharedWithChildren: column('w.shared_with_children'),
  metadata: column('w.metadata'),
  createdAt: time('w.created_at'),
  updatedAt: time('w.updated_at'),
  archivedAt: time('w.archived_at'),
});

/** As the organisation sees it that has the row; the owner is the warehouse's. */
export function locationJson(organizationId: string): Sql<unknown> {
  return jsonObject({
    id: column('l.id'),
    organizationId: sql`(select w.owner_organization_id from warehouses w
      where w.organization_id = ${organizationId} and w.id = l.warehouse_id)`,
    warehouseId: column('l.warehouse_id'),
    name: column('l.name'),
    type: column('l.type'),
    pickable: column('l.pickable'),
    sequence: column('l.sequence'),
    createdAt: time('l.created_at'),
    updatedAt: time('l.updated_at'),
    archivedAt: time('l.archived_at'),
  });
}
