// Cursors: where a page ended, with a hash of the list that it is a page of. Opaque to who holds one.
import { createHash } from 'node:crypto';
import { isId } from '../database/ids.ts';
import { ApiError } from '../errors.ts';
import type { ListQuery, Sort } from './pagination.ts';

/** Of the last row of a page: its place in the order, and its id. */
export interface Position {
  key: string | null;
  id: string;
}

export function filterFingerprint(
  organizationId: string,
  list: string,
  sortBy: string,
  query: ListQuery,
): string {
  const { limit: _limit, page: _page, cursor: _cursor, sortBy: _sortBy, ...filters } = query;
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([organizationId, list, sortBy, sorted]))
    .digest('base64url')
    .slice(0, 16);
}

export function writeCursor(fingerprint: string, key: string | null, id: string): string {
  return Buffer.from(JSON.stringify([fingerprint, key, id])).toString('base64url');
}

/** @throws invalid_cursor: not one of this list, this sort, these filters */
export function readCursor(cursor: string, fingerprint: string, sort: Sort): Position {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw new ApiError('invalid_cursor');
  }
  if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== fingerprint)
    throw new ApiError('invalid_cursor');
  const [, key, id] = parts as [string, unknown, unknown];
  if (typeof id !== 'string' || !isId(id) || !isKey(key, sort)) throw new ApiError('invalid_cursor');
  return { key, id };
}

function isKey(key: unknown, sort: Sort): key is string | null {
  if (key === null) return sort.nullable === true;
  if (typeof key !== 'string' || key.includes('\0')) return false;
  if (sort.type === 'timestamptz') return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[\d.+:-]*$/.test(key);
  if (sort.type === 'text') return true;
  return /^-?\d+(\.\d+)?$/.test(key);
}
