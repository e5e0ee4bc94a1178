// The one place that talks HTTP to EasyPost: bounded in time and size, no redirects, tried again only where that is safe.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import * as limits from '../../limits.ts';
import { publicConnector } from '../../public-address.ts';
import { CarrierError } from '../carrier.ts';
import { refusal } from './errors.ts';
import { parseJson } from './json.ts';

export interface Call {
  method: 'GET' | 'POST';
  /** Below the base address. */
  path: string;
  body?: object;
  /**
   * `again`: may be sent twice without harm, so it is tried again after any failure. `once`: only where EasyPost surely
   * did nothing; where it may have done something, the error's `bought` is `unknown`.
   */
  effect: 'again' | 'once';
}

export interface Transport {
  /** The JSON of a 2xx answer, texts cleaned of what PostgreSQL cannot store. @throws CarrierError */
  call(apiKey: string, call: Call, signal: AbortSignal): Promise<unknown>;
  /** A file that EasyPost named, without the key: from the base address, or by https from a public one. @throws CarrierError */
  download(url: string, signal: AbortSignal): Promise<Buffer>;
}

/** Time limits in milliseconds; the signal of a call ends it earlier. */
export interface Timeouts {
  connect: number;
  /** For calls of either effect; the carrier behind EasyPost takes part in what is done once. */
  again: number;
  once: number;
}

export function makeTransport(baseUrl: string, timeouts: Timeouts): Transport {
  const base = new URL(baseUrl);
  const bounds = { connections: limits.easypostConnections, maxHeaderSize: 16_384 };
  const api = new Agent({ ...bounds, connect: { timeout: timeouts.connect } });
  const elsewhere = new Agent({ ...bounds, connect: publicConnector(timeouts.connect) });
  return {
    call(apiKey, { method, path, body, effect }, signal) {
      const headers = {
        authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`,
        'user-agent': 'Waybill',
        accept: 'application/json',
        'content-type': 'application/json',
      };
      const exchange: Exchange = {
        url: `${base.origin}${base.pathname.replace(/\/$/, '')}${path}`,
        options: { method, headers, body: body === undefined ? null : JSON.stringify(body), dispatcher: api },
        effect,
        most: limits.easypostAnswerBytes,
        read: parseJson,
      };
      return exchanged(exchange, AbortSignal.any([signal, AbortSignal.timeout(timeouts[effect])]));
    },
    download(url, signal) {
      const exchange: Exchange<Buffer> = {
        url,
        options: { method: 'GET', dispatcher: isAt(base, url) ? api : elsewhere },
        effect: 'again',
        most: limits.easypostFileBytes,
        read: (bytes) => bytes,
      };
      if (exchange.options.dispatcher === elsewhere && !/^https:\/\/[^@]*$/.test(url)) {
        throw failed('names a file at an address that is not https', 'no');
      }
      return exchanged(exchange, AbortSignal.any([signal, AbortSignal.timeout(timeouts.again)]));
    },
  };
}

interface Exchange<T = unknown> {
  url: string;
  options: Omit<Dispatcher.RequestOptions, 'path' | 'origin'> & { dispatcher: Dispatcher };
  effect: Call['effect'];
  /** Bytes. */
  most: number;
  /** Throws where it cannot. */
  read: (bytes: Buffer) => T;
}

async function exchanged<T>(exchange: Exchange<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tried(exchange, signal);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      const { error, done, waitMs = limits.easypostWaitMs * 2 ** (attempt - 1) } = failure;
      const again = !done || exchange.effect === 'again';
      const last = attempt === limits.easypostAttempts || waitMs > limits.easypostWaitMaxMs;
      if (signal.aborted || !again || last) throw error;
      // Should the time be over meanwhile, what is known is why it was not answered before.
      await sleep(waitMs, undefined, { signal }).catch(() => Promise.reject(error));
    }
  }
}

/** A try that failed. `done`: EasyPost may have done what it was asked for. */
class Failure extends Error {
  readonly error: CarrierError;
  readonly done: boolean;
  readonly waitMs: number | undefined;

  constructor(error: CarrierError, done: boolean, waitMs?: number) {
    super(error.message);
    this.error = error;
    this.done = done;
    this.waitMs = waitMs;
  }
}

async function tried<T>({ url, options, effect, most, read }: Exchange<T>, signal: AbortSignal): Promise<T> {
  const bought = effect === 'once' ? 'unknown' : 'no';
  let status: number;
  let headers: Record<string, unknown>;
  let bytes: Buffer;
  try {
    const answer = await request(url, { ...options, signal });
    ({ statusCode: status, headers } = answer);
    bytes = await readAll(answer.body, most);
  } catch (error) {
    if (error instanceof TooLarge) throw failed(error.message, bought);
    if (signal.aborted) throw new CarrierError('carrier_timeout', 'did not answer in time', { bought });
    const done = !neverReached(error);
    const { code, name } = error as NodeJS.ErrnoException;
    throw new Failure(failed(`could not be reached (${code ?? name})`, done ? bought : 'no'), done);
  }
  if (status >= 200 && status < 300) {
    try {
      return read(bytes);
    } catch {
      throw new Failure(failed('said what cannot be understood', bought), true);
    }
  }
  const error = refusal(status, jsonIn(bytes), bought);
  if (status === 429) throw new Failure(error, false, retryAfter(headers['retry-after']));
  if (status >= 500) throw new Failure(error, true);
  throw error;
}

class TooLarge extends Error {}

async function readAll(
  stream: AsyncIterable<Buffer> & { destroy(): unknown },
  most: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > most) throw new TooLarge(`answered more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Undefined where it is none. */
function jsonIn(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch {
    return undefined;
  }
}

const unreachable = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** No connection, so no request either. */
function neverReached(error: unknown): boolean {
  return unreachable.has((error as NodeJS.ErrnoException).code ?? '');
}

/** Without what caused it: an error of the HTTP client may hold the request, and so the key. */
function failed(message: string, bought: 'no' | 'unknown'): CarrierError {
  return new CarrierError('carrier_unavailable', message, { bought });
}

/** Milliseconds; undefined where the header does not say a number of seconds. */
function retryAfter(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

function isAt(base: URL, url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === base.origin;
}
