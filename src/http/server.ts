// The bare HTTP server: logs, request ids, bodies, time limits, unknown addresses, malformed requests.
import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ApiError } from '../errors.ts';
import * as limits from '../limits.ts';
import { logOutput } from '../log-output.ts';
import { nothingRefused, type Refused, refusePipelines } from './admission.ts';
import { answerBrokenRequest } from './broken-requests.ts';
import { boundConnections, type ConnectionLimits } from './connections.ts';
import { sendError, setCommonHeaders } from './error-handler.ts';

export interface ServerOptions {
  logLevel: string;
  /** Where log lines go; standard output when left out. */
  logStream?: { write(line: string): void };
  /** How long a request may take to arrive. */
  requestTimeoutMs?: number;
  connections?: Partial<ConnectionLimits>;
  /** Counts what is refused. */
  refused?: Refused;
}

export async function makeServer(options: ServerOptions): Promise<FastifyInstance> {
  const { logLevel, logStream, requestTimeoutMs = limits.requestTimeoutMs } = options;
  const { refused = nothingRefused() } = options;
  const app = Fastify({
    logger: {
      level: logLevel,
      // A constraint's detail quotes the row, which is what somebody sent.
      redact: ['req.headers.authorization', 'err.detail'],
      stream: logStream ?? standardOutput(),
    },
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: requestId,
    bodyLimit: limits.bodyBytes,
    requestTimeout: requestTimeoutMs,
    // Node looks for requests that are overdue at intervals, by default as long as the limit itself.
    http: { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: requestTimeoutMs / 10 },
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 100 },
    frameworkErrors: sendError,
    clientErrorHandler: answerBrokenRequest,
  });
  // Validation is done by http/api.ts, and answers are JSON text already.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(sendError);
  readJsonBodies(app);
  answerUnknownAddresses(app);
  app.addHook('onRequest', async (request, reply) => setCommonHeaders(request, reply));
  refusePipelines(app, refused);
  boundConnections(app.server, refused, options.connections);
  // Node would answer 417 without a body to an Expect that it does not know; HTTP lets it be ignored.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply));
  return app;
}

let output: ReturnType<typeof logOutput> | undefined;

/** Lines leave together and within a moment: one write for each took a tenth of the time of answering a list. */
function standardOutput() {
  output ??= logOutput({
    sync: false,
    minLength: limits.logBytesAtOnce,
    periodicFlush: limits.logFlushMs,
  });
  return output;
}

/** The caller's X-Request-Id when it is a plain token, else a new one. */
function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID();
}

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      operationId: (request.routeOptions.config as { operationId?: string }).operationId,
      method: request.method,
      path: request.url.split('?')[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      requestId: request.id,
      organizationId: request.caller?.scope.organizationId,
      apiKeyId: request.caller?.scope.apiKeyId,
    },
    'request',
  );
}

function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Actions such as /archive take no body; clients send the header all the same.
    if (body.length === 0) return done(null, undefined);
    parse(request, body as string, (error, value) => {
      done(error === null ? null : new ApiError('invalid_json'), value);
    });
  });
}

/** 404 for an address nobody knows; 405 with Allow for one that takes other methods. */
function answerUnknownAddresses(app: FastifyInstance): void {
  const methodsByPattern = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ method, url }) => {
    const entry = methodsByPattern.get(url) ?? {
      pattern: new RegExp(
        `^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}/?$`,
      ),
      methods: new Set<string>(),
    };
    for (const name of [method].flat()) entry.methods.add(name);
    methodsByPattern.set(url, entry);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!;
    const matching = [...methodsByPattern.values()].filter(({ pattern }) => pattern.test(path));
    if (matching.length === 0) throw new ApiError('not_found', { message: 'No such address' });
    const allowed = [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
    reply.header('allow', allowed.join(', '));
    throw new ApiError('method_not_allowed', { details: { allowed } });
  });
}
