// Row -> wire object of a customer, as PostgreSQL builds it.
import { column, jsonObject, time } from '../database/json.ts';

export const customerJson = jsonObject({
  id: column('c.id'),
  organizationId: column('c.organization_id'),
  name: column('c.name'),
  email: column('c.email'),
  phone: column('c.phone'),
  company: column('c.company'),
  metadata: column('c.metadata'),
  createdAt: time('c.created_at'),
  updatedAt: time('c.updated_at'),
  archivedAt: time('c.archived_at'),
});
