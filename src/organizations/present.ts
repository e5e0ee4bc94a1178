// Rows -> wire objects of organisations and API keys, as PostgreSQL builds them.
import { column, jsonObject, time } from '../database/json.ts';

export const organizationJson = jsonObject({
  id: column('o.id'),
  parentId: column('o.parent_id'),
  slug: column('o.slug'),
  name: column('o.name'),
  allocation: column('o.allocation'),
  createdAt: time('o.created_at'),
  updatedAt: time('o.updated_at'),
});

export const apiKeyJson = jsonObject({
  id: column('k.id'),
  organizationId: column('k.organization_id'),
  name: column('k.name'),
  prefix: column('k.key_prefix'),
  lastFour: column('k.last_four'),
  permissions: column('k.permissions'),
  user: jsonObject({
    id: column('k.user_id'),
    name: column('k.user_name'),
    email: column('k.user_email'),
  }),
  rateLimit: column('k.rate_limit'),
  expiresAt: time('k.expires_at'),
  lastUsedAt: time('k.last_used_at'),
  revokedAt: time('k.revoked_at'),
  createdAt: time('k.created_at'),
});
