// Connections: how many there may be, and how long an answer may lie in one that does not read it.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors.ts';
import * as limits from '../limits.ts';
import type { Refused } from './admission.ts';
import { endWith } from './broken-requests.ts';

export interface ConnectionLimits {
  connections: number;
  /** How long an answer may take to be read. */
  readMs: number;
  /** Bytes of answers that wait for their readers, of all connections together. */
  unreadBytes: number;
  /** How often is looked. */
  lookMs: number;
}

const usual: ConnectionLimits = {
  connections: limits.connectionsMax,
  readMs: limits.answerReadMs,
  unreadBytes: limits.unreadBytes,
  lookMs: limits.unreadLookMs,
};

/** What is unread in a connection: since when, and what was written to it at that time. */
interface Unread {
  since: number;
  written: number;
}

const tooMany = new ApiError('overloaded', { message: 'There are as many connections as are allowed' });

export function boundConnections(
  server: Server,
  refused: Refused,
  given: Partial<ConnectionLimits> = {},
): void {
  const bounds = { ...usual, ...given };
  const open = new Map<Socket, Unread | undefined>();
  const [accept] = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (open.size >= bounds.connections) {
      refused.connections += 1;
      return turnAway(socket);
    }
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
    accept!.call(server, socket);
  });
  // Beyond some that are being told so, connections are closed without a word.
  server.maxConnections = Math.ceil(bounds.connections * 1.1);
  const looking = setInterval(() => cutOffSlowReaders(open, bounds), bounds.lookMs);
  looking.unref();
  server.once('close', () => clearInterval(looking));
}

function turnAway(socket: Socket): void {
  socket.on('error', () => {});
  const patience = setTimeout(() => socket.destroy(), limits.turnAwayMs);
  socket.once('close', () => clearTimeout(patience));
  // What is left unread when a connection is closed takes the answer with it.
  socket.resume();
  endWith(socket, tooMany);
}

/** An answer that waited at the last look and still does. */
interface Waiting {
  since: number;
  bytes: number;
}

/** Those that have waited too long, and of too much the longest. */
export function tooSlow<T extends Waiting>(
  waiting: readonly T[],
  now: number,
  bounds: Pick<ConnectionLimits, 'readMs' | 'unreadBytes'>,
): T[] {
  let bytes = waiting.reduce((sum, one) => sum + one.bytes, 0);
  const oldestFirst = waiting.toSorted((a, b) => a.since - b.since);
  return oldestFirst.filter((one) => {
    const cutOff = bytes > bounds.unreadBytes || now - one.since >= bounds.readMs;
    if (cutOff) bytes -= one.bytes;
    return cutOff;
  });
}

function cutOffSlowReaders(open: Map<Socket, Unread | undefined>, bounds: ConnectionLimits): void {
  const now = performance.now();
  const waiting: (Waiting & { socket: Socket })[] = [];
  for (const [socket, known] of open) {
    const bytes = socket.writableLength;
    if (bytes === 0) {
      if (known !== undefined) open.set(socket, undefined);
    } else if (known === undefined || known.written !== socket.bytesWritten) {
      // The next answer is written once the one before it was read.
      open.set(socket, { since: now, written: socket.bytesWritten });
    } else waiting.push({ socket, since: known.since, bytes });
  }
  for (const { socket } of tooSlow(waiting, now, bounds)) socket.destroy();
}
