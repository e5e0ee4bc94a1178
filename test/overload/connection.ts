// A keep-alive connection that costs its process little, and what its answers say.
import { createConnection, type Socket } from 'node:net';

export interface Answer {
  status: number;
  /** Empty where the answer does not say. */
  retryAfter: string;
  body: Buffer;
}

export interface Connection {
  socket: Socket;
  /** One at a time; undefined where the connection broke before the answer was there. */
  send(text: string): Promise<Answer | undefined>;
}

const headEnd = Buffer.from('\r\n\r\n');

export function openConnection(base: URL): Connection {
  const socket = createConnection({ host: base.hostname, port: Number(base.port), noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  let resolve: ((answer: Answer | undefined) => void) | undefined;
  const finish = (answer: Answer | undefined) => {
    const waiting = resolve;
    resolve = undefined;
    received = Buffer.alloc(0);
    waiting?.(answer);
  };
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf(headEnd);
    if (end < 0) return;
    const head = received.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
    if (received.length < end + headEnd.length + length) return;
    finish({
      status: Number(head.slice(9, 12)),
      retryAfter: /\r\nretry-after: *(\d+)/i.exec(head)?.[1] ?? '',
      body: received.subarray(end + headEnd.length),
    });
  });
  socket.on('error', () => {});
  socket.on('close', () => finish(undefined));
  return {
    socket,
    send: (text) =>
      new Promise((done) => {
        if (socket.destroyed) return done(undefined);
        resolve = done;
        socket.write(text);
      }),
  };
}

export function requestText(base: URL, key: string, method: string, path: string, body?: object): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${base.pathname}${path} HTTP/1.1`,
    `Host: ${base.host}`,
    `Authorization: Bearer ${key}`,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

/** The same as one request of a write: with a key under which it may be sent again. */
export function writeText(
  base: URL,
  key: string,
  path: string,
  body: object,
  idempotencyKey: string,
): string {
  return requestText(base, key, 'POST', path, body).replace(
    '\r\nContent-Type',
    `\r\nIdempotency-Key: ${idempotencyKey}\r\nContent-Type`,
  );
}
