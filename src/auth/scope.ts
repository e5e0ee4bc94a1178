// Who is asking, and for which organisation: a required argument of everything that reaches a tenant's table.

export const areas = [
  'orders',
  'quotes',
  'shipments',
  'products',
  'inventory',
  'purchase-orders',
  'webhooks',
  'organization',
] as const;

export type Area = (typeof areas)[number];
export type Permission = `${Area}:${'read' | 'write'}`;

/** The person or program that a key belongs to; the `user` of notes. */
export interface User {
  id: string;
  name: string | null;
  email: string | null;
}

export interface Scope {
  /** The organisation acted for: every statement carries it. */
  readonly organizationId: string;
  /** The organisation that the key belongs to; another only where X-Service-Client names a child. */
  readonly keyOrganizationId: string;
  /** Null where the service itself acts: background work, the demo. */
  readonly apiKeyId: string | null;
  readonly user: User | null;
}

/** The scope of work that no key asked for. */
export function systemScope(organizationId: string): Scope {
  return { organizationId, keyOrganizationId: organizationId, apiKeyId: null, user: null };
}

export function allows(granted: readonly string[], needed: Permission): boolean {
  if (granted.includes('all') || granted.includes(needed)) return true;
  return needed.endsWith(':read') && granted.includes(needed.replace(':read', ':write'));
}
