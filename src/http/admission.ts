// Refuses what could not be answered in time or kept in memory, before any work is done for it.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../database/connect.ts';
import { ApiError } from '../errors.ts';
import * as limits from '../limits.ts';
import { type Line, makeLine } from './line.ts';

/** Requests that were refused so far, by what there was too much of. */
export interface Refused {
  database: number;
  bodies: number;
  connections: number;
}

export const nothingRefused = (): Refused => ({ database: 0, bodies: 0, connections: 0 });

/** One for all: what refuses must cost little. */
const overloaded = new ApiError('overloaded');

/**
 * Whether somebody who joined the line now would wait for too long. A short line is no overload however slow it is, until the
 * wait comes near the time after which waiting is given up.
 */
export function isTooLong({ waiting, intervalMs, stillMs }: Line): boolean {
  const waitMs = Math.max(waiting * intervalMs, stillMs);
  return waitMs > (waiting > limits.shortLine ? limits.lineMs : limits.shortLineMs);
}

export function refuseOverload(app: FastifyInstance, database: Database, refused: Refused): void {
  const line = makeLine(database.pool);
  app.addHook('preClose', async () => line.stop());
  const refuse = (done: (error: Error) => void) => {
    refused.database += 1;
    done(overloaded);
  };
  app.addHook('onRequest', (_request, _reply, done) => {
    const present = line.present();
    if (present === undefined) return done();
    if (isTooLong(present)) return refuse(done);
    line.join((inTime) => (inTime ? done() : refuse(done)));
  });
  // Who proves himself by the body itself, as carriers do, must not use up the room of those with a key.
  const withKey = { bytes: 0, most: limits.largeBodiesBytes };
  const withoutKey = { bytes: 0, most: limits.largeBodiesWithoutKeyBytes };
  app.addHook('preParsing', (request, reply, payload, done) => {
    const size = bodySize(request);
    if (size <= limits.smallBodyBytes) return done(null, payload);
    const room = request.caller === undefined ? withoutKey : withKey;
    if (room.bytes + size > room.most) {
      refused.bodies += 1;
      return done(overloaded);
    }
    room.bytes += size;
    reply.raw.once('close', () => {
      room.bytes -= size;
    });
    done(null, payload);
  });
}

/** As announced; where nothing is, as much as is let in. What is announced beyond that is refused elsewhere. */
function bodySize(request: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return 0;
  const most = request.routeOptions.bodyLimit ?? limits.bodyBytes;
  return length === undefined ? most : Math.min(Number(length), most);
}

/** Refuses what is sent ahead on one connection beyond a few: the answers would all wait in memory for the first. */
export function refusePipelines(app: FastifyInstance, refused: Refused): void {
  const ahead = new WeakMap<object, number>();
  app.addHook('onRequest', (request, reply, done) => {
    // Only an answer that waits for another one has no socket yet.
    if (reply.raw.socket !== null) return done();
    const { socket } = request.raw;
    const count = (ahead.get(socket) ?? 0) + 1;
    ahead.set(socket, count);
    reply.raw.once('close', () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1));
    if (count <= limits.pipelinedMax) return done();
    refused.connections += 1;
    done(overloaded);
  });
}
