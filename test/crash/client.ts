// One client: it asks for one thing after another, each under a key of its own, until it has an answer.
import { setTimeout as sleep } from 'node:timers/promises';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely in tests
export type Json = any;

/** What a client asked for, and what it was told. */
export interface Asked {
  n: number;
  path: string;
  body: Json;
  /** Undefined where the client gave up. */
  answer?: { status: number; body: Json };
  tries: number;
}

export interface Journal {
  asked: Asked[];
  /** Answers that no client should ever see. */
  findings: string[];
}

/** Statuses after which the same request, with the same key, is sent again. */
const passing = new Set([408, 429, 502, 503, 504]);

export interface Sender {
  /** Undefined once the client has given up on it. */
  post(path: string, body?: Json): Promise<Json | undefined>;
  get(path: string): Promise<Json | undefined>;
}

export interface Moods {
  /** Of a request: whether the client walks away from it when it has no answer, as clients do. */
  givesUp(): boolean;
  /** Nobody will answer any more. */
  isOver(): boolean;
}

/**
 * A connection that breaks, a 5xx and a key in use are tried again, for as long as it takes.
 */
export function makeSender(url: string, key: string, journal: Journal, moods: Moods): Sender {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const fetchJson = async (path: string, options: RequestInit) => {
    const answer = await fetch(`${url}${path}`, { ...options, signal: AbortSignal.timeout(60_000) });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  return {
    async post(path, body = {}) {
      const n = journal.asked.length;
      const asked: Asked = { n, path, body: numbered(body, n), tries: 0 };
      journal.asked.push(asked);
      const impatient = moods.givesUp();
      const sent = { ...headers, 'idempotency-key': `crash-${n}` };
      for (;;) {
        asked.tries += 1;
        const answer = await fetchJson(path, {
          method: 'POST',
          headers: sent,
          body: JSON.stringify(asked.body),
        }).catch(() => undefined);
        if (answer !== undefined && isLast(answer)) {
          if (answer.status >= 500) journal.findings.push(`${path} answered ${JSON.stringify(answer)}`);
          asked.answer = answer;
          return answer.status === 200 ? answer.body.data : undefined;
        }
        if (moods.isOver()) throw new Error('The run has ended');
        if (impatient) return undefined;
        await sleep(50);
      }
    },
    async get(path) {
      for (;;) {
        const answer = await fetchJson(path, { headers }).catch(() => undefined);
        if (answer?.status === 200) return answer.body;
        if (answer !== undefined && !passing.has(answer.status)) return undefined;
        if (moods.isOver()) throw new Error('The run has ended');
        await sleep(50);
      }
    },
  };
}

/** Whether this answer is the last word on the request. */
function isLast({ status, body }: { status: number; body: Json }): boolean {
  const details = body?.error?.details;
  if (status === 409 && ['idempotency_key_in_use', 'purchase_running'].includes(details?.code)) return false;
  // A carrier that refused has sold nothing; one whose answer is not known yet is asked by the repeat.
  if (status === 502 && details?.purchaseStatus === 'failed') return true;
  return !passing.has(status);
}

/** `#` in a text stands for the request's number, by which its effect is found again. */
function numbered(body: Json, n: number): Json {
  return JSON.parse(JSON.stringify(body).replaceAll('#', String(n)));
}
