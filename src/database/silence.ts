// A server that falls silent takes its idle connections with it: they are closed when one of them is given up.
import type { Socket } from 'node:net';
import type pg from 'pg';

const socketOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** What the driver says when the server was silent for `query_timeout`. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/**
 * Returns what to call with every failed statement's error: when that was silence, the pool's idle connections are closed, for
 * each of them would make another request wait as long.
 */
export function watchSilence(pool: pg.Pool): (error: unknown) => void {
  const idle = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('remove', (client) => idle.delete(client));
  return (error) => {
    if (!isSilence(error)) return;
    for (const client of idle) socketOf(client).destroy();
    idle.clear();
  };
}
