// Asks a service that runs in a process of its own, as a client does; every answer is held against the OpenAPI document.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basePath } from '../../src/http/openapi.ts';
import type { Answer, Request } from '../support/app.ts';
import { readContract } from '../support/contract.ts';

const document = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'));
export const contract = readContract(document);

/** `url`: without a path. */
export function requestOver(url: string, key: string): Request {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}${basePath}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer: Answer = {
      status: response.status,
      body: parsed(text),
      headers: Object.fromEntries(response.headers),
      text,
    };
    const problem = contract.problemOf(method, path, answer);
    assert.equal(problem, undefined, problem);
    return answer;
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
