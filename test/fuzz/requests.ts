// The next request: an operation of the document, asked well, asked wrongly, or not asked as HTTP means it.
import type { Operation } from '../support/contract.ts';
import { addressOf, type Sample } from '../support/samples.ts';
import { hostileJson, hostileNumbers } from './hostile.ts';
import type { Memory } from './memory.ts';
import type { Random } from './random.ts';
import type { Organization, Sent } from './target.ts';
import type { Values } from './values.ts';

export interface Party extends Organization {
  memory: Memory;
  /** The other organisation's, to ask for what is not one's own. */
  foreign: Memory;
  /** A request of each operation that was answered 200. */
  samples: Map<string, Sample>;
  lastKeys: string[];
}

export interface Made {
  kind: string;
  operation: Operation;
  ids: Record<string, string>;
  sent: Sent;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are of every kind
type Json = any;

interface Draft {
  path: string;
  ids: Record<string, string>;
  query: string[];
  body: Json;
}

const kinds: readonly [kind: string, weight: number][] = [
  ['valid', 34],
  ['sample', 8],
  ['foreign', 8],
  ['mutated', 26],
  ['address', 10],
  ['headers', 8],
  ['json', 5],
  ['method', 1],
];
const kindTable = kinds.flatMap(([kind, weight]) => Array<string>(weight).fill(kind));
const methods = ['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'GET', 'POST', 'DELETE', 'PROPFIND'];

export function makeRequest(
  random: Random,
  values: Values,
  operations: readonly Operation[],
  party: Party,
): Made {
  const operation = random.pick(operations);
  const kind = random.pick(kindTable);
  const sample = party.samples.get(operation.operationId);
  const fromSample = sample !== undefined && (kind === 'sample' || random.chance(0.3));
  const draft = fromSample
    ? sampleDraft(operation, sample)
    : generated(random, values, operation, party, kind);
  const sent: Sent = { method: operation.method, path: '', headers: { ...party.headers } };
  if (kind === 'mutated') {
    if (draft.body === undefined && random.chance(0.8)) draft.query = wrongQuery(random, values, operation);
    else draft.body = values.mutated(draft.body ?? {});
  }
  if (kind === 'address') {
    if (random.chance(0.5)) draft.query = wrongQuery(random, values, operation);
    else draft.path = wrongPath(random, values, operation, draft.path);
  }
  sent.path = draft.path + (draft.query.length === 0 ? '' : `?${draft.query.join('&')}`);
  if (draft.body !== undefined) sent.body = JSON.stringify(draft.body) ?? 'null';
  if (kind === 'json') sent.body = random.pick(hostileJson);
  if (sent.body !== undefined) sent.headers['content-type'] = 'application/json';
  if (kind === 'headers' || random.chance(0.03)) addHeaders(random, values, sent, party);
  if (kind === 'method') sent.method = random.pick(methods);
  return { kind, operation, ids: draft.ids, sent };
}

function sampleDraft(operation: Operation, sample: Sample): Draft {
  const [path, query] = addressOf(operation, sample).split('?');
  return {
    path: path!,
    query: query?.split('&') ?? [],
    ids: sample.ids ?? {},
    body: structuredClone(sample.body),
  };
}

function generated(random: Random, values: Values, operation: Operation, party: Party, kind: string): Draft {
  const { path, pathParameters, specification } = operation;
  const strange = kind === 'foreign';
  const ids = {
    ...(strange && random.chance(0.5) ? party.foreign : party.memory).ids(random, pathParameters),
  };
  const about = ids[pathParameters.at(-1) ?? ''];
  const known = (name: string) => {
    const memory = strange && random.chance(0.4) ? party.foreign : party.memory;
    const value = memory.value(random, name, about);
    return party.kept.has(value as string) || (memory === party.foreign && !mayBeSent(value))
      ? undefined
      : value;
  };
  for (const name of pathParameters) {
    const id = ids[name];
    const unusable = id === undefined || party.kept.has(id) || (strange && !mayBeSent(id));
    if (unusable) ids[name] = String(values.valid({ type: 'string', format: 'uuid' }, () => undefined));
  }
  const schema = specification.requestBody?.content['application/json'].schema;
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!),
    ids,
    query: queryParameters(operation).flatMap((parameter) =>
      parameter.required || random.chance(0.15)
        ? [pair(parameter.name, queryValue(parameter, values, known))]
        : [],
    ),
    body: schema === undefined ? undefined : values.valid(schema, known),
  };
}

/** Most ids of the other organisation are never asked for, so that whoever is shown one was shown too much. */
export function mayBeSent(value: unknown): boolean {
  return typeof value !== 'string' || value.length !== 36 || /[0-3]$/.test(value);
}

interface Parameter {
  name: string;
  required?: boolean;
  schema: Json;
}

function queryParameters({ specification }: Operation): Parameter[] {
  return (specification.parameters ?? []).filter((one: { in: string }) => one.in === 'query');
}

function queryValue(parameter: Parameter, values: Values, known: (name: string) => unknown): string {
  // Nobody waits for an event.
  if (parameter.name === 'wait') return '0';
  const named = {
    type: 'object',
    properties: { [parameter.name]: parameter.schema },
    required: [parameter.name],
  };
  return String(values.valid(named, known)[parameter.name]);
}

function pair(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`;
}

function wrongQuery(random: Random, values: Values, operation: Operation): string[] {
  const names = queryParameters(operation).map(({ name }) => name);
  const extra = ['__proto__', 'constructor[prototype][a]', 'limit[]', 'limit[gt]', 'sortBy', 'unknown', ''];
  const count = random.pick([1, 1, 2, 3, 40]);
  return Array.from({ length: count }, () => {
    const name = random.pick(names.length > 0 && random.chance(0.7) ? names : extra);
    const text = random.chance(0.3)
      ? String(random.pick(hostileNumbers))
      : values.hostileText().slice(0, 2_000);
    if (name === 'wait' && /^[+-]?\d/.test(text)) return 'wait=x';
    if (random.chance(0.1)) return random.pick(['%', '%ff%fe', '&&&', '=', 'a=b=c', '%00=%00', '+', name]);
    return pair(name, text);
  });
}

function wrongPath(random: Random, values: Values, operation: Operation, path: string): string {
  const text = encodeURIComponent(values.hostileText().toWellFormed());
  switch (random.below(6)) {
    case 0:
      return `${path}/`;
    case 1:
      return `/${path}`;
    case 2:
      return `${path}/${text}`;
    case 3:
      return (
        path + random.pick(['/../../api-keys', '/%2e%2e/customers', ';a=b', '%00', '%ff', '#x', '/.', '%2f'])
      );
    case 4:
      return path.toUpperCase();
    default:
      return operation.path.replaceAll(/\{\w+\}/g, () => text || 'x');
  }
}

function addHeaders(random: Random, values: Values, sent: Sent, party: Party): void {
  const text = values
    .hostileText()
    .slice(0, 3_000)
    .replaceAll(/[^\x20-\x7e\xa1-\xff]/g, '');
  const key = random.chance(0.5) ? random.pick(party.lastKeys) : undefined;
  const made: Record<string, string> = {
    'idempotency-key': key ?? `key-${random.below(1_000_000_000)}`,
    'if-match': random.pick(['"1"', 'W/"1"', '*', '1', '"9999999999999999999"', '"1", "2"', text]),
    'content-type': random.pick(['text/plain', 'application/xml', 'application/json; charset=utf-16', text]),
    'content-encoding': random.pick(['gzip', 'br', 'identity', text]),
    'x-request-id': text,
    accept: random.pick(['text/html', 'application/xml', '*/*;q=0', text]),
    authorization: random.pick([text, 'Bearer', 'Basic YTpi', `Bearer wb_live_${'x'.repeat(43)}`]),
    'x-http-method-override': 'DELETE',
    'x-forwarded-for': text,
    expect: '100-continue',
    cookie: text,
    host: random.pick(['', 'localhost:1', '[::1]']),
  };
  if (party.clients.length > 0) made['x-service-client'] = random.pick([...party.clients, text]);
  const share = random.pick([1, 1, 2, 4]);
  for (let count = 0; count < share; count += 1) {
    const name = random.chance(0.35) ? 'idempotency-key' : random.pick(Object.keys(made));
    sent.headers[name] = random.chance(0.15) && name !== 'host' ? text : made[name]!;
  }
  const used = sent.headers['idempotency-key'];
  if (used !== undefined) party.lastKeys.push(used);
  if (party.lastKeys.length > 20) party.lastKeys.shift();
}
