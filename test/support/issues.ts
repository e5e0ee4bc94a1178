// Reads what a 400 says is wrong.
import assert from 'node:assert/strict';
import type { Answer } from './app.ts';

interface Issue {
  path: string;
  code: string;
  message: string;
}

/** path -> code of everything that a 400 names. */
export function issuesOf(answer: Answer, about = ''): Record<string, string> {
  assert.equal(answer.status, 400, `${about} ${answer.text}`);
  assert.equal(answer.body.error.details.code, 'invalid_parameters', about);
  return Object.fromEntries(answer.body.error.details.issues.map(({ path, code }: Issue) => [path, code]));
}
