// Row -> wire object of an event, as PostgreSQL builds it; the body of a webhook is the same text.
import { column, jsonObject, time } from '../database/json.ts';

export const eventJson = jsonObject({
  id: column('e.id'),
  organizationId: column('e.organization_id'),
  type: column('e.type'),
  sequence: column('e.sequence'),
  objectId: column('e.object_id'),
  createdAt: time('e.created_at'),
  data: column('e.data'),
});
