// Addresses of labels and manifests that need no key: signed, for a day, renewed on each read.
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type Sql, sql } from '../database/connect.ts';
import { basePath } from '../http/openapi.ts';
import * as limits from '../limits.ts';

export type DocumentKind = 'labels' | 'manifests';

export interface Links {
  /** `/api/v1/<kind>/<organization>/<id>.<extension>?expires=…&signature=…`, as an SQL expression over a row. */
  address(
    kind: DocumentKind,
    parts: { organizationId: Sql<unknown>; id: Sql<unknown>; extension: Sql<unknown> },
  ): Sql<unknown>;
  /** Whether this address was given out and holds still. */
  verify(kind: DocumentKind, organizationId: string, id: string, expires: number, signature: string): boolean;
}

const blockBytes = 64;

/** `expires` is seconds since 1970. */
export function makeLinks(secret: string | undefined, clock: () => number = Date.now): Links {
  const key = Buffer.from(hkdfSync('sha256', secret ?? '', '', 'waybill document links', 32));
  const padded = Buffer.concat([key, Buffer.alloc(blockBytes - key.length)]);
  const inner = padded.map((byte) => byte ^ 0x36);
  const outer = padded.map((byte) => byte ^ 0x5c);
  const text = (kind: DocumentKind, organizationId: string, id: string, expires: number) =>
    `${kind} ${organizationId} ${id} ${expires}`;
  return {
    address(kind, { organizationId, id, extension }) {
      const expires = Math.floor(clock() / 1000) + limits.documentLinkSeconds;
      // HMAC-SHA256 (RFC 2104) out of the hash that PostgreSQL has: the rows are known to it alone.
      const signed = sql`convert_to(${`${kind} `} || ${organizationId} || ' ' || ${id} || ${` ${expires}`}, 'UTF8')`;
      const signature = sql`encode(sha256(${outer}::bytea || sha256(${inner}::bytea || ${signed})), 'hex')`;
      return sql`${`${basePath}/${kind}/`} || ${organizationId} || '/' || ${id} || '.' || ${extension} ||
        ${`?expires=${expires}&signature=`} || ${signature}`;
    },
    verify(kind, organizationId, id, expires, signature) {
      if (!Number.isSafeInteger(expires) || expires * 1000 < clock()) return false;
      const expected = createHmac('sha256', key)
        .update(text(kind, organizationId, id, expires))
        .digest('hex');
      const digest = (value: string) => createHash('sha256').update(value).digest();
      return timingSafeEqual(digest(expected), digest(signature));
    },
  };
}
