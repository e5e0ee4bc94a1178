// The OpenAPI 3.1 document, generated from the same schemas that validate.
import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { type ErrorCode, errorTable } from '../errors.ts';
import * as limits from '../limits.ts';
import type { Endpoint } from './api.ts';
import { Address, ErrorBody, type TSchema } from './schemas.ts';

export const basePath = '/api/v1';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const ofEveryOperation: ErrorCode[] = [
  'invalid_header',
  'invalid_parameters',
  'unauthorized',
  'permission_denied',
  'client_not_found',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
  'overloaded',
];
const ofEveryWrite: ErrorCode[] = [
  'invalid_json',
  'idempotency_key_in_use',
  'precondition_failed',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
];

const requestHeaders = {
  'X-Service-Client': {
    type: 'string',
    description: 'Slug of a client organization to act for; without it, the organization of the key',
  },
};
const writeHeaders = {
  ...requestHeaders,
  'Idempotency-Key': {
    type: 'string',
    minLength: 1,
    maxLength: limits.idempotencyKeyLengthMax,
    description: 'A repeat with the same key and body within 24 hours answers the first answer',
  },
  'If-Match': { type: 'string', description: 'The ETag that the record must still have; else 412' },
};

/** Marks an operation until the document is whole, for @fastify/swagger says of every body that it is required. */
const bodyOptional = 'x-body-optional';

function sayWhichBodiesAreOptional<T extends { paths?: object }>(document: T): T {
  for (const methods of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(methods as Record<string, Record<string, unknown>>)) {
      if (operation[bodyOptional] !== true) continue;
      delete operation[bodyOptional];
      Object.assign(operation['requestBody'] as object, { required: false });
    }
  }
  return document;
}

/** What Fastify keeps of an endpoint; used for the document only, validation is done by http/api.ts. */
export function describeRoute<Q extends TSchema, B extends TSchema, P>(
  method: string,
  endpoint: Endpoint<Q, B, P>,
): FastifySchema {
  const codes = [
    ...ofEveryOperation,
    ...(method === 'GET' ? [] : ofEveryWrite),
    ...(endpoint.ids === undefined ? [] : (['not_found'] as const)),
    ...(endpoint.errors ?? []),
  ];
  const area = endpoint.permission.split(':')[0]!;
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: `${endpoint.description ?? endpoint.summary}\n\nPermission: \`${endpoint.permission}\`.`,
    tags: [area],
    security: [{ apiKey: [] }],
    headers: { type: 'object', properties: method === 'GET' ? requestHeaders : writeHeaders },
    ...(endpoint.ids === undefined ? {} : { params: idParameters(endpoint.ids) }),
    ...(endpoint.query === undefined ? {} : { querystring: endpoint.query }),
    ...(endpoint.body === undefined ? {} : { body: describedBody(endpoint.body, endpoint.uncheckedItems) }),
    ...(endpoint.bodyOptional === true ? { [bodyOptional]: true } : {}),
    response: { 200: { description: 'Done', ...endpoint.response }, ...errorResponses(codes) },
  };
}

/** Items that each have an answer of their own may be anything; what they should be is said first. */
function describedBody(body: TSchema, uncheckedItems: string | undefined): TSchema {
  if (uncheckedItems === undefined) return body;
  const { properties } = body as unknown as { properties: Record<string, { items: object }> };
  const list = properties[uncheckedItems]!;
  const anything = { description: `Anything else has an error of its own; with \`atomic\` it is a 400` };
  const items = { anyOf: [list.items, anything] };
  return { ...body, properties: { ...properties, [uncheckedItems]: { ...list, items } } } as TSchema;
}

function idParameters(ids: Record<string, string>) {
  const properties = Object.entries(ids).map(([name, kind]) => [
    name,
    { type: 'string', format: 'uuid', description: `Id of the ${kind}` },
  ]);
  return { type: 'object', required: Object.keys(ids), properties: Object.fromEntries(properties) };
}

function errorResponses(codes: ErrorCode[]) {
  const byStatus = new Map<number, string[]>();
  for (const code of new Set(codes)) {
    const [status, message, onTheWire] = errorTable[code] as readonly [number, string, string?];
    const lines = byStatus.get(status) ?? [];
    byStatus.set(status, [...lines, `\`${onTheWire ?? code}\`: ${message}`]);
  }
  const entries = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    entries.map(([status, lines]) => [status, { description: lines.join('; '), $ref: 'Error#' }]),
  );
}

export async function registerOpenapi(app: FastifyInstance): Promise<void> {
  app.addSchema(ErrorBody);
  app.addSchema(Address);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Waybill',
        version,
        description:
          'Fulfilment, shipping and inventory: sales orders, stock, labels, purchasing and events.',
        contact: { name: 'The Waybill project' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: basePath }],
      tags: tagDescriptions,
      components: {
        securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key' } },
      },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json['$id'] ?? `def-${i}`) },
    transformObject: (document) =>
      sayWhichBodiesAreOptional(
        'openapiObject' in document ? document.openapiObject : document.swaggerObject,
      ),
    transform: ({ schema, url, route }) => ({
      schema: url.startsWith(basePath) ? schema : { ...schema, hide: true },
      url: url.slice(basePath.length) || url,
      route,
    }),
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { deepLinking: true, validatorUrl: null },
    // The page is where a key is typed in: it runs its own scripts only, and stands in no other page.
    staticCSP: {
      'default-src': "'self'",
      'img-src': ["'self'", 'data:'],
      'style-src': ["'self'", "'unsafe-inline'"],
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    },
  });
  // Written once: a megabyte of JSON for each who asks would keep everybody else waiting, and it takes no key to ask.
  let document: Buffer | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.header('content-type', 'application/json; charset=utf-8').send(document);
  });
}

const tagDescriptions = [
  { name: 'orders', description: 'Sales orders, customers and return orders' },
  { name: 'products', description: 'Products, variants and bundles' },
  { name: 'inventory', description: 'Warehouses, locations, stock levels and the ledger' },
  { name: 'quotes', description: 'What a parcel would cost, by every carrier account' },
  { name: 'shipments', description: 'Carrier accounts, rate cards, labels, trackers and manifests' },
  { name: 'purchase-orders', description: 'Suppliers, purchase orders and what arrives for them' },
  { name: 'webhooks', description: 'Events, webhook endpoints and their deliveries' },
  { name: 'organization', description: 'The organization, its clients and API keys' },
];
