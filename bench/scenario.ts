// What one scenario of the benchmark is: one request, and how its answer is known to be right.

import type { Catalogue } from './catalogue.ts';

export interface Request {
  method: 'GET' | 'POST';
  /** Below the service's base address. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Scenario {
  /** For `--only`. */
  name: string;
  title: string;
  /** What the SQL floor holds beside what is said of every one. */
  floor: string;
  /** The n-th request of a run; the same n gives the same one but for what has to be unique. */
  request(n: number, catalogue: Catalogue): Request;
  /** Throws when an answer is not what was asked for. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer's JSON
  check(answer: any): void;
  /** Runs on a service that is up already too: needs nothing but variants and customers. */
  anywhere?: true;
  /** What a read's cost grows with, where that is more than the page. */
  cost?: string;
  /** Requests whose statements are recorded for the floor; 200 unless it is said. */
  recordings?: number;
}

export function postRequest(path: string, body: object): Request {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export function randoms(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b9);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Few of many are asked for often: a quarter of all picks fall on the first sixteenth of the list. */
export function pickPopular<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(list.length * random() ** 2)]!;
}
