// A real connection, for what no HTTP client would send.
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Listens on a free port of this machine, and says which. */
export async function listen(app: FastifyInstance): Promise<number> {
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
}

export interface Conversation {
  /** All that was received until the server closed the connection. */
  received: string;
  /** The connection was closed by the server, not by us for lack of patience. */
  closed: boolean;
  ms: number;
}

/** Sends `text`, and says nothing more. */
export function converse(port: number, text: string | Buffer, patienceMs = 5_000): Promise<Conversation> {
  return new Promise((resolve) => {
    const began = performance.now();
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const done = (closed: boolean) => {
      clearTimeout(impatient);
      socket.destroy();
      resolve({ received, closed, ms: performance.now() - began });
    };
    const impatient = setTimeout(() => done(false), patienceMs);
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('close', () => done(true));
    socket.on('error', () => {});
    socket.write(text);
  });
}
