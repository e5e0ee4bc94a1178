// What every file owes its reader, and that the two tables (errors, limits) hold nothing that is no longer used.
import assert from 'node:assert/strict';
import test from 'node:test';
import { constraintErrors, errorTable } from '../../src/errors.ts';
import { eventTypes } from '../../src/events/append.ts';
import * as limits from '../../src/limits.ts';
import { service, sources } from './sources.ts';

test('every file opens with a one-line comment that says what it is for', () => {
  const wrong = sources.filter(({ text }) => !/^(#!.*\n)?\/\/ \S/.test(text));
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

test('nothing is left to do, and no test is left out', () => {
  // In pieces, so that this file does not find itself.
  const modifiers = ['only', 'skip', 'todo'].join('|');
  const unwanted = new RegExp(
    ['TO' + 'DO', 'FIX' + 'ME', `\\b(test|it|describe|suite)\\.(${modifiers})\\b`].join('|'),
  );
  const wrong = sources.filter(({ text }) => unwanted.test(text));
  assert.deepEqual(
    wrong.map(({ path, text }) => `${path}: ${unwanted.exec(text)![0]}`),
    [],
  );
});

test('nothing names the machine it was written on', () => {
  const wrong = sources.filter(({ text }) => /['"`(]\/(home|Users|work|root)\//.test(text));
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

test('no file of the service has a name that would suit any other', () => {
  const vague = /(^|[/-])(service|manager|helper|helpers|util|utils|common|base|handler|misc|index)(\.|\/|$)/;
  // http/error-handler.ts is what Fastify calls it.
  const wrong = service.filter(({ path }) => vague.test(path.replace('error-handler', '')));
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

const rest = (path: string) =>
  service
    .filter((source) => source.path !== path)
    .map(({ text }) => text)
    .join('\n');

test('every error code is answered somewhere', () => {
  const text = rest('src/errors.ts');
  const byConstraint = new Set<string>(Object.values(constraintErrors));
  const idle = Object.keys(errorTable).filter(
    (code) => !byConstraint.has(code) && !text.includes(`'${code}'`),
  );
  assert.deepEqual(idle, []);
});

test('every limit is applied somewhere', () => {
  const text = service.map(({ text }) => text).join('\n');
  const idle = Object.keys(limits).filter((name) => !new RegExp(`limits\\.${name}\\b`).test(text));
  assert.deepEqual(idle, []);
});

test('every type of event is written somewhere', () => {
  const text = rest('src/events/append.ts');
  const idle = eventTypes.filter((type) => !text.includes(`'${type}'`));
  assert.deepEqual(idle, []);
});

test('nothing is exported that nobody imports', () => {
  const everything = sources.map(({ path, text }) => ({ path, text }));
  const idle = service.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
      .map(([, name]) => name!)
      .filter(
        (name) =>
          !everything.some((other) => other.path !== path && new RegExp(`\\b${name}\\b`).test(other.text)),
      )
      .map((name) => `${path} exports ${name}`),
  );
  assert.deepEqual(idle, []);
});
