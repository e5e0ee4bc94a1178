// Addresses of labels and manifests that need no key: signed, for a day, renewed on each read.
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Sql, sql } from '../database/connect.ts';
import { isId } from '../database/ids.ts';
import { ApiError, notFound } from '../errors.ts';
import * as limits from '../limits.ts';
import { basePath } from './openapi.ts';

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

/** The key, and the two that HMAC makes of it (RFC 2104). */
function keysOf(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'waybill document links', 32));
  const padded = Buffer.concat([key, Buffer.alloc(blockBytes - key.length)]);
  return { key, inner: padded.map((byte) => byte ^ 0x36), outer: padded.map((byte) => byte ^ 0x5c) };
}

/** `expires` is seconds since 1970. */
export function makeLinks(secret: string | undefined, clock: () => number = Date.now): Links {
  let derived: ReturnType<typeof keysOf> | undefined;
  const keys = () => {
    if (secret === undefined) throw new Error('WAYBILL_SECRET is needed to sign');
    derived ??= keysOf(secret);
    return derived;
  };
  const text = (kind: DocumentKind, organizationId: string, id: string, expires: number) =>
    `${kind} ${organizationId} ${id} ${expires}`;
  return {
    address(kind, { organizationId, id, extension }) {
      const { inner, outer } = keys();
      const expires = Math.floor(clock() / 1000) + limits.documentLinkSeconds;
      // HMAC-SHA256 (RFC 2104) out of the hash that PostgreSQL has: the rows are known to it alone.
      const signed = sql`convert_to(${`${kind} `} || ${organizationId} || ' ' || ${id} || ${` ${expires}`}, 'UTF8')`;
      const signature = sql`encode(sha256(${outer}::bytea || sha256(${inner}::bytea || ${signed})), 'hex')`;
      return sql`${`${basePath}/${kind}/`} || ${organizationId} || '/' || ${id} || '.' || ${extension} ||
        ${`?expires=${expires}&signature=`} || ${signature}`;
    },
    verify(kind, organizationId, id, expires, signature) {
      if (!Number.isSafeInteger(expires) || expires * 1000 < clock()) return false;
      const expected = createHmac('sha256', keys().key)
        .update(text(kind, organizationId, id, expires))
        .digest('hex');
      const digest = (value: string) => createHash('sha256').update(value).digest();
      return timingSafeEqual(digest(expected), digest(signature));
    },
  };
}

export interface Document {
  /** `application/pdf`, … */
  type: string;
  bytes: Uint8Array;
}

const fileName = /^([0-9a-f-]{36})\.(pdf|zpl)$/;

/**
 * Serves documents of one kind to whoever has a link. `find` is undefined for what is not there, or no longer.
 * 401 for a link that was not given out, or has expired; 404.
 */
export function documentRoute(
  app: FastifyInstance,
  links: Links,
  kind: DocumentKind,
  find: (organizationId: string, id: string, extension: string) => Promise<Document | undefined>,
): void {
  app.get(`/${kind}/:organizationId/:file`, { schema: { hide: true } }, async (request, reply) => {
    const { organizationId, file } = request.params as { organizationId: string; file: string };
    const { expires, signature } = request.query as { expires?: unknown; signature?: unknown };
    const [, id, extension] = fileName.exec(file) ?? [];
    if (id === undefined || !isId(id) || !isId(organizationId)) throw notFound('document');
    if (!links.verify(kind, organizationId, id, Number(expires), String(signature))) {
      throw new ApiError('unauthorized', {
        message: 'The link is not valid, or has expired: read the record again',
      });
    }
    const document = await find(organizationId, id, extension!);
    if (document === undefined) throw notFound('document');
    reply.header('content-type', document.type).header('cache-control', 'private, no-store');
    return reply
      .header('content-disposition', `inline; filename="${file}"`)
      .send(Buffer.from(document.bytes));
  });
}
