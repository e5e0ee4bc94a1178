// Clients that cost without working: idle, sending by single bytes, never reading; a new one for each that is cut off.
import { createConnection, type Socket } from 'node:net';
import { requestText } from './connection.ts';

export interface SlowClients {
  /** Connections that the service has ended so far, by kind. */
  cutOff: Record<'idle' | 'senders' | 'readers', number>;
  stop(): void;
}

const trickleMs = 1_000;

export function startSlowClients(base: URL, key: string, each: number): SlowClients {
  const cutOff = { idle: 0, senders: 0, readers: 0 };
  const sockets = new Set<Socket>();
  let stopped = false;
  const keepOpen = (kind: keyof typeof cutOff, begin: (socket: Socket) => void) => {
    if (stopped) return;
    const socket = createConnection({ host: base.hostname, port: Number(base.port) });
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('connect', () => begin(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      if (stopped) return;
      cutOff[kind] += 1;
      setTimeout(() => keepOpen(kind, begin), 100).unref();
    });
  };
  // Twice what a request may be: it is never complete.
  const half = requestText(base, key, 'POST', '/customers', { name: 'x'.repeat(4_000) }).slice(0, -2_000);
  for (let n = 0; n < each; n += 1) {
    keepOpen('idle', (socket) => socket.resume());
    keepOpen('senders', (socket) => {
      socket.resume();
      socket.write(half);
      const trickle = setInterval(() => socket.write('x'), trickleMs);
      socket.once('close', () => clearInterval(trickle));
    });
    keepOpen('readers', (socket) => {
      socket.pause();
      socket.write(`GET /openapi.json HTTP/1.1\r\nHost: ${base.host}\r\n\r\n`.repeat(11));
      // Who does not read is not told that the connection has ended, but by writing.
      const looking = setInterval(() => socket.write('\r\n'), trickleMs);
      socket.once('close', () => clearInterval(looking));
    });
  }
  return {
    cutOff,
    stop() {
      stopped = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
