// Speaks HTTP to the service as any client would: kept connections, retries with backoff, an idempotency key per write.
import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer<T> {
  body: T;
  /** The service had done this very write before and answered it again. */
  replayed: boolean;
}

export interface Client {
  get<T>(path: string): Promise<T>;
  /** `key` names the write within this run: the same one is done once however often it is sent. */
  post<T>(path: string, key: string, body: object): Promise<Answer<T>>;
  /** Every record of a list, page by page. */
  list<T>(path: string, query?: Record<string, string>): AsyncGenerator<T>;
  requests: { sent: number; retried: number };
  close(): void;
}

export interface ClientOptions {
  /** The base address, `/api/v1` included. */
  url: string;
  key: string;
  /** Names the run; part of every idempotency key. */
  run: string;
  connections: number;
  /** How long one request may take in all, its retries included. */
  patienceMs?: number;
}

interface ErrorBody {
  error?: { message?: string; details?: { code?: string } & Record<string, unknown> };
}

export class RequestFailed extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: Record<string, unknown>;

  constructor(what: string, status: number, body: unknown) {
    const { error } = (body ?? {}) as ErrorBody;
    const details = error?.details ?? {};
    super(`${what}: ${status} ${error?.message ?? ''} ${JSON.stringify(details)}`);
    this.status = status;
    this.code = details.code;
    this.details = details;
  }
}

interface RawAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

export function createClient(options: ClientOptions): Client {
  const send = createSender(options);
  const requests = { sent: 0, retried: 0 };

  async function request(method: string, path: string, headers: http.OutgoingHttpHeaders, body?: string) {
    const deadline = Date.now() + (options.patienceMs ?? 60_000);
    for (let attempt = 0; ; attempt += 1) {
      requests.sent += 1;
      const answer = await send(method, path, headers, body).catch((error: Error) => error);
      if (!(answer instanceof Error) && answer.status >= 200 && answer.status < 300) return answer;
      const waitMs = retryAfterMs(answer, attempt);
      if (waitMs === null || Date.now() + waitMs > deadline) throw failure(`${method} ${path}`, answer);
      requests.retried += 1;
      await sleep(waitMs);
    }
  }

  async function get<T>(path: string): Promise<T> {
    const answer = await request('GET', path, {});
    return JSON.parse(answer.text) as T;
  }

  async function post<T>(path: string, key: string, body: object): Promise<Answer<T>> {
    const idempotencyKey = createHash('sha256').update(`${options.run}\n${key}`).digest('hex').slice(0, 40);
    const answer = await request('POST', path, { 'idempotency-key': idempotencyKey }, JSON.stringify(body));
    return {
      body: JSON.parse(answer.text) as T,
      replayed: answer.headers['idempotency-replayed'] === 'true',
    };
  }

  async function* list<T>(path: string, query: Record<string, string> = {}): AsyncGenerator<T> {
    for (let cursor: string | null = null; ; ) {
      const params = new URLSearchParams({ limit: '100', ...query, ...(cursor === null ? {} : { cursor }) });
      const page: { data: T[]; hasMore: boolean; nextCursor: string | null } = await get(`${path}?${params}`);
      yield* page.data;
      if (!page.hasMore || page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  return { get, post, list, requests, close: send.close };
}

function failure(what: string, answer: RawAnswer | Error): Error {
  if (answer instanceof Error) return new Error(`${what}: ${answer.message}`, { cause: answer });
  let body: unknown = null;
  try {
    body = JSON.parse(answer.text);
  } catch {
    body = { error: { message: answer.text.slice(0, 200) } };
  }
  return new RequestFailed(what, answer.status, body);
}

/** Null where trying again cannot help. */
function retryAfterMs(answer: RawAnswer | Error, attempt: number): number | null {
  const backoffMs = Math.min(100 * 2 ** attempt, 5_000) * (0.5 + Math.random() / 2);
  if (answer instanceof Error) return backoffMs;
  const asked = answer.headers['retry-after'];
  // A 409 that says when to come back is our own earlier attempt, still running.
  const again =
    [429, 502, 503, 504].includes(answer.status) || (answer.status === 409 && asked !== undefined);
  if (!again) return null;
  const askedMs = Number(asked) * 1_000;
  return Number.isFinite(askedMs) ? Math.max(askedMs, backoffMs) : backoffMs;
}

function createSender({ url, key, connections }: ClientOptions) {
  const base = new URL(url.endsWith('/') ? url.slice(0, -1) : url);
  const { request, Agent } = base.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  function send(
    method: string,
    path: string,
    headers: http.OutgoingHttpHeaders,
    body?: string,
  ): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          agent,
          protocol: base.protocol,
          hostname: base.hostname,
          port: base.port,
          method,
          path: base.pathname + path,
          timeout: 30_000,
          headers: {
            authorization: `Bearer ${key}`,
            ...headers,
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
          });
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('no answer within 30 s')));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  return Object.assign(send, { close: () => agent.destroy() });
}
