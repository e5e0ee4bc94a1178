// How a feature declares its endpoints: one entry each, checked, scoped and answered the same way everywhere.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Permission, Scope } from '../auth/scope.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { isId } from '../database/ids.ts';
import { ApiError, type ErrorCode, type Issue, invalid, notFound } from '../errors.ts';
import * as limits from '../limits.ts';
import { type Authentication, authenticate, type Caller, requirePermission } from './authenticate.ts';
import { type Batch, makeBatch } from './batch.ts';
import type { Reply } from './envelope.ts';
import { type IdempotentRequest, idempotentRequest } from './idempotency.ts';
import { describeRoute } from './openapi.ts';
import type { Static, TSchema } from './schemas.ts';
import { validator } from './validate.ts';
import { runWrite, type Sent } from './write.ts';

/** What one endpoint is. Path parameters are ids; one that is no id is the 404 of `ids`. */
export interface Endpoint<Q extends TSchema, B extends TSchema, Prepared> {
  /** Also the name of the function, the file and the test. */
  operationId: string;
  permission: Permission;
  summary: string;
  description?: string;
  /** Path parameter -> what it names, for the 404. */
  ids?: Record<string, string>;
  query?: Q;
  body?: B;
  /** The body may be left out. */
  bodyOptional?: boolean;
  response: TSchema;
  /** Error codes of its own, beside those that every endpoint has. */
  errors?: ErrorCode[];
  bodyLimit?: number;
  /** A list in the body whose items the operation checks itself, because each has an answer of its own. */
  uncheckedItems?: string;
  /** Runs before the write's transaction opens, in statements of its own. */
  prepare?: (read: ReadContext<undefined>, body: Static<B>) => Promise<Prepared>;
  /** Runs once the write has committed. */
  committed?: () => void;
}

export interface ReadContext<Query> {
  database: Database;
  scope: Scope;
  query: Query;
  /** Path parameters, each a valid id in lower case. */
  ids: Record<string, string>;
}

/** A transaction, and the one time that everything it makes carries. */
export interface UnscopedWrite {
  transaction: Transaction;
  now: Date;
}

/** What a write is given: its transaction, its time, and who asks. */
export interface Write extends UnscopedWrite {
  scope: Scope;
  /** The version that If-Match asks for. */
  ifMatch: number | undefined;
}

export interface WriteContext<Query, Body, Prepared> extends Write {
  query: Query;
  ids: Record<string, string>;
  body: Body;
  prepared: Prepared;
}

/** What a request is given that opens its transactions itself. */
export interface Steps {
  database: Database;
  scope: Scope;
  ifMatch: number | undefined;
  ids: Record<string, string>;
  /** The request's Idempotency-Key, to be claimed and kept in its own transactions. */
  idempotent: IdempotentRequest | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
  }
}

export interface Api {
  get<Q extends TSchema>(
    path: string,
    endpoint: Endpoint<Q, never, never>,
    answer: (context: ReadContext<Static<Q>>) => Promise<Reply>,
  ): void;
  post<Q extends TSchema, B extends TSchema, P = undefined>(
    path: string,
    endpoint: Endpoint<Q, B, P>,
    answer: (context: WriteContext<Static<Q>, Static<B>, P>) => Promise<Reply>,
  ): void;
  /** A POST that is many writes, each in a transaction of its own. */
  batch<B extends TSchema>(
    path: string,
    endpoint: Endpoint<never, B, never>,
    answer: (batch: Batch, body: Static<B>) => Promise<Sent>,
  ): void;
  /** A POST that calls the outside between its transactions. */
  steps<B extends TSchema>(
    path: string,
    endpoint: Endpoint<never, B, never>,
    answer: (steps: Steps, body: Static<B>) => Promise<Sent>,
  ): void;
  delete<Q extends TSchema, B extends TSchema, P = undefined>(
    path: string,
    endpoint: Endpoint<Q, B, P>,
    answer: (context: WriteContext<Static<Q>, Static<B>, P>) => Promise<Reply>,
  ): void;
}

export function makeApi(app: FastifyInstance, database: Database, authentication: Authentication): Api {
  const register = <Q extends TSchema, B extends TSchema, P>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    endpoint: Endpoint<Q, B, P>,
    answer: (request: FastifyRequest, query: Static<Q>, body: Static<B>) => Promise<Sent>,
  ) => {
    const check = checker(endpoint);
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: endpoint.bodyLimit ?? limits.bodyBytes,
      schema: describeRoute(method, endpoint),
      config: { operationId: endpoint.operationId },
      onRequest: async (request, reply) => {
        request.caller = await authenticate(authentication, request, reply);
      },
      handler: async (request, reply) => {
        checkHeaders(request);
        requirePermission(request.caller!, endpoint.permission);
        const { query, body } = check(request);
        return send(reply, await answer(request, query, body));
      },
    });
  };
  const running = new Set<string>();
  const write =
    (method: 'POST' | 'DELETE'): Api['post'] =>
    (path, endpoint, answer) =>
      register(method, path, endpoint, (request, query, body) =>
        answerWrite(database, request, endpoint, query, body, answer),
      );
  return {
    get: (path, endpoint, answer) =>
      register('GET', path, endpoint, (request, query) => {
        const { scope } = request.caller!;
        return answer({ database, scope, query, ids: idsOf(request) });
      }),
    post: write('POST'),
    batch: (path, endpoint, answer) =>
      register('POST', path, endpoint, (request, _query, body) => {
        const { scope } = request.caller!;
        const idempotent = idempotencyOf(request);
        return answer(makeBatch({ database, scope, idempotent, running, log: request.log }), body);
      }),
    steps: (path, endpoint, answer) =>
      register('POST', path, endpoint, (request, _query, body) => {
        const { scope } = request.caller!;
        const { ifMatch, idempotent } = { ifMatch: ifMatchOf(request), idempotent: idempotencyOf(request) };
        return answer({ database, scope, ids: idsOf(request), ifMatch, idempotent }, body);
      }),
    delete: write('DELETE'),
  };
}

async function answerWrite<Q extends TSchema, B extends TSchema, P>(
  database: Database,
  request: FastifyRequest,
  endpoint: Endpoint<Q, B, P>,
  query: Static<Q>,
  body: Static<B>,
  answer: (context: WriteContext<Static<Q>, Static<B>, P>) => Promise<Reply>,
): Promise<Sent> {
  const { scope } = request.caller!;
  const ids = idsOf(request);
  const asked = { scope, ifMatch: ifMatchOf(request) };
  const sent = await runWrite(database, asked, idempotencyOf(request), {
    prepare: async () => (await endpoint.prepare?.({ database, scope, query: undefined, ids }, body)) as P,
    answer: (write, prepared) => answer({ ...write, ids, query, body, prepared }),
  });
  endpoint.committed?.();
  return sent;
}

function idempotencyOf(request: FastifyRequest): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key'] as string | undefined;
  if (key === undefined) return undefined;
  const { organizationId } = request.caller!.scope;
  return idempotentRequest(organizationId, key, request.method, request.url, request.body);
}

function send(reply: FastifyReply, sent: Sent): FastifyReply {
  if (sent.etag !== undefined) reply.header('etag', sent.etag);
  if (sent.replayed === true) reply.header('idempotency-replayed', 'true');
  return reply.header('content-type', 'application/json; charset=utf-8').send(sent.body);
}

function idsOf(request: FastifyRequest): Record<string, string> {
  return request.params as Record<string, string>;
}

/** Checks query and body together, then the path's ids and the client: 400 comes before 404. */
function checker<Q extends TSchema, B extends TSchema, P>(endpoint: Endpoint<Q, B, P>) {
  const queryIssues = validator(endpoint.query ?? noParameters, 'query');
  const bodyIssues =
    endpoint.body === undefined ? undefined : bodyChecker(endpoint.body, endpoint.uncheckedItems);
  return (request: FastifyRequest) => {
    const query = { ...(request.query as object) };
    const body = request.body ?? (endpoint.bodyOptional === true ? {} : undefined);
    const issues = queryIssues(query);
    if (bodyIssues !== undefined) issues.push(...bodyIssues(body));
    else if (!isNothing(request.body)) {
      issues.push({ path: '', code: 'unknown_field', message: 'takes no body' });
    }
    if (issues.length > 0) throw invalid(issues);
    if (request.caller!.clientMissing) throw new ApiError('client_not_found');
    const params = request.params as Record<string, string>;
    for (const [name, kind] of Object.entries(endpoint.ids ?? {})) {
      if (!isId(params[name] ?? '')) throw notFound(kind);
      params[name] = params[name]!.toLowerCase();
    }
    return { query: query as Static<Q>, body: body as Static<B> };
  };
}

/** No body, or one that says nothing: `null` and `{}`. */
function isNothing(body: unknown): boolean {
  if (typeof body !== 'object' || Array.isArray(body)) return body === undefined;
  return body === null || Object.keys(body).length === 0;
}

/** With `uncheckedItems`, that list counts as a list of anything, though of nothing that is nested without end. */
function bodyChecker(schema: TSchema, uncheckedItems: string | undefined): (body: unknown) => Issue[] {
  if (uncheckedItems === undefined) return validator(schema, 'body');
  const { properties } = schema as unknown as { properties: Record<string, object> };
  const list = { ...properties[uncheckedItems], items: {} };
  const issuesOf = validator({ ...schema, properties: { ...properties, [uncheckedItems]: list } }, 'body');
  const textIssuesOf = validator({}, 'body');
  return (body) => {
    const items = (body as Record<string, unknown> | null | undefined)?.[uncheckedItems];
    if (!Array.isArray(items)) return issuesOf(body);
    const envelope = { ...(body as object), [uncheckedItems]: items.map(() => null) };
    const issues = issuesOf(envelope);
    Object.assign(body as object, { ...envelope, [uncheckedItems]: items });
    const texts = textIssuesOf(items);
    const fatal = texts.length < limits.issuesMax ? texts.filter(({ code }) => code === 'too_deep') : texts;
    return [...issues, ...fatal.map((issue) => ({ ...issue, path: `/${uncheckedItems}${issue.path}` }))];
  };
}

const noParameters = { type: 'object', additionalProperties: false } as unknown as TSchema;

function checkHeaders(request: FastifyRequest): void {
  const key = request.headers['idempotency-key'];
  if (key !== undefined && !/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(String(key))) {
    throw new ApiError('invalid_header', {
      message: `Idempotency-Key must be 1 to ${limits.idempotencyKeyLengthMax} printable ASCII characters`,
    });
  }
  const match = request.headers['if-match'];
  if (match !== undefined && match !== '*' && !/^"[^"]*"$/.test(match)) {
    throw new ApiError('invalid_header', { message: 'If-Match must be one ETag in quotes, or *' });
  }
}

/** A tag that is no version of ours matches nothing, as a stale one does. */
function ifMatchOf(request: FastifyRequest): number | undefined {
  const match = request.headers['if-match'];
  if (match === undefined || match === '*') return undefined;
  const version = Number(match.slice(1, -1));
  return Number.isInteger(version) ? version : -1;
}

/** @throws 412 precondition_failed when If-Match asks for another version than the record has */
export function requireVersion(write: Write, version: number): void {
  if (write.ifMatch !== undefined && write.ifMatch !== version) throw new ApiError('precondition_failed');
}
