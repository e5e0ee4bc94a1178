// A keep-alive HTTP/1.1 connection that costs the generator little, so that the machine's time goes to who is measured.
import { createConnection, type Socket } from 'node:net';

export interface Answer {
  status: number;
  body: Buffer;
}

export interface Connection {
  /** One at a time. `text` is the whole request as it goes over the wire. */
  send(text: string): Promise<Answer>;
  close(): void;
}

const headEnd = Buffer.from('\r\n\r\n');

export async function openConnection(base: URL): Promise<Connection> {
  const socket = createConnection({ host: base.hostname, port: Number(base.port || 80), noDelay: true });
  let received: Buffer[] = [];
  let size = 0;
  let expected: number | undefined;
  let waiting: PromiseWithResolvers<Answer> | undefined;
  const fail = (error: Error) => waiting?.reject(error);

  socket.on('data', (chunk: Buffer) => {
    received.push(chunk);
    size += chunk.length;
    expected ??= totalLength(received.length === 1 ? chunk : Buffer.concat(received));
    if (expected === undefined || size < expected) return;
    const answer = parsed(received.length === 1 ? chunk : Buffer.concat(received));
    const { resolve } = waiting!;
    [received, size, expected, waiting] = [[], 0, undefined, undefined];
    resolve(answer);
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed')));
  await opened(socket);
  return {
    send(text) {
      waiting = Promise.withResolvers();
      socket.write(text);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

function opened(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
}

/** Head and body together; undefined while the head is not complete. */
function totalLength(start: Buffer): number | undefined {
  const end = start.indexOf(headEnd);
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(start.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('an answer does not say how long it is');
  return end + headEnd.length + Number(length);
}

function parsed(whole: Buffer): Answer {
  return {
    status: Number(whole.toString('latin1', 9, 12)),
    body: whole.subarray(whole.indexOf(headEnd) + headEnd.length),
  };
}

/** A request as it goes over the wire. */
export function requestText(
  base: URL,
  key: string,
  request: { method: string; path: string; headers?: Record<string, string>; body?: string },
): string {
  const { method, path, headers = {}, body } = request;
  const lines = [
    `${method} ${base.pathname}${path} HTTP/1.1`,
    `Host: ${base.host}`,
    `Authorization: Bearer ${key}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
