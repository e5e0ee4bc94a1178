// The bare HTTP floor: Fastify with nothing but a body parser, answering the bytes that the service answered.
import Fastify, { type FastifyInstance } from 'fastify';
import { offer } from './part.ts';

export type BareFunctions = {
  /** Answers `body` to everything, at the address that is returned. */
  serve(body: string): Promise<string>;
};

let body = '';
let app: FastifyInstance | undefined;

async function start(): Promise<FastifyInstance> {
  const made = Fastify({ bodyLimit: 32 * 2 ** 20 });
  made.route({
    method: ['GET', 'POST'],
    url: '/*',
    handler: (_, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(body),
  });
  await made.listen({ host: '127.0.0.1', port: 0 });
  return made;
}

offer(
  {
    async serve(text: string) {
      body = text;
      app ??= await start();
      return app.listeningOrigin;
    },
  } satisfies BareFunctions,
  async () => app?.close(),
);
