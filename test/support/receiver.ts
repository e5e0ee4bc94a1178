// A webhook receiver that plays the customer: it checks signatures with the library and answers as it is told.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

export type Respond = (request: Received, response: ServerResponse) => unknown;

export interface Receiver {
  url: string;
  received: Received[];
  /** How it answers; 204 unless it is told otherwise. */
  respond: Respond;
  close(): Promise<void>;
}

export async function startReceiver(respond: Respond = (_, response) => response.writeHead(204).end()) {
  const server = createServer(async (request, response) => {
    const received = await read(request);
    receiver.received.push(received);
    receiver.respond(received, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    respond,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = request.headers as Record<string, string>;
  return { path: request.url!, headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
}

/** The event, once the signature holds; throws otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely in tests
export function verified(secret: string, { body, headers }: Received): any {
  return new Webhook(secret).verify(body, headers);
}
