// The shapes in which answers leave: a single record, a list, an error.
import type { ApiError, Issue } from '../errors.ts';
import type { Page } from './pagination.ts';

/** One record as PostgreSQL wrote it, with the version that its ETag is made of. */
export interface Found {
  json: string;
  version: number;
}

/** A successful answer, ready to be sent or stored. */
export interface Reply {
  body: string;
  etag?: string;
  /** What is stored for a replay instead, where the body holds a secret that must not be. */
  replayBody?: string;
}

export function single(kind: string, found: Found): Reply {
  return { body: `{"object":"${kind}","data":${found.json}}`, etag: `"${found.version}"` };
}

export function list(page: Page): Reply {
  const { items, limit, totalCount, nextCursor } = page;
  return {
    body: `{"object":"list","data":[${items.join(',')}],"hasMore":${nextCursor !== null},"totalCount":${totalCount},"limit":${limit},"nextCursor":${JSON.stringify(nextCursor)}}`,
  };
}

export function errorBody(error: ApiError, requestId: string): string {
  const details: { code: string; requestId: string; issues?: Issue[] } & Record<string, unknown> = {
    code: error.code,
    requestId,
    ...error.details,
  };
  if (error.issues !== undefined) details.issues = error.issues;
  return JSON.stringify({ error: { message: error.message, details } });
}
