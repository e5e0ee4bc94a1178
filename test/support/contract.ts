// Holds answers against the OpenAPI document: what a status may be, and what its body looks like.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface Operation {
  operationId: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** With `{parameters}`, relative to /api/v1. */
  path: string;
  pathParameters: string[];
  // biome-ignore lint/suspicious/noExplicitAny: JSON schemas are walked freely
  specification: any;
}

export interface Contract {
  // biome-ignore lint/suspicious/noExplicitAny: JSON schemas are walked freely
  document: any;
  operations: Operation[];
  find(method: string, path: string): Operation | undefined;
  /** What is wrong with an answer, as one sentence. */
  problemOf(
    method: string,
    path: string,
    answer: { status: number; body: unknown; text: string },
  ): string | undefined;
}

export function readContract(document: Contract['document']): Contract {
  const operations = operationsOf(document);
  // The document is no schema, though it holds some: there is nothing to hold against the schema of schemas.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'document');
  const matchers = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  // A fixed path wins over one with parameters, as it does in the router.
  matchers.sort((a, b) => a.operation.pathParameters.length - b.operation.pathParameters.length);
  const find = (method: string, path: string) =>
    matchers.find(
      ({ operation, pattern }) => operation.method === method && pattern.test(path.split('?')[0]!),
    )?.operation;
  const problemsOfBody = (pointer: string, body: unknown) => {
    const validate = ajv.getSchema(`document${pointer}`);
    if (validate === undefined) return `the document has no schema at ${pointer}`;
    return validate(body) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' });
  };
  return {
    document,
    operations,
    find,
    problemOf(method, path, { status, body, text }) {
      const operation = find(method, path);
      const name = `${operation?.operationId ?? `${method} ${path}`} answered ${status}`;
      const excerpt = `: ${text.slice(0, 1000)}`;
      if (operation !== undefined && operation.specification.responses[status] === undefined) {
        return `${name}, a status that its documentation does not list (errors: [...] of its route)${excerpt}`;
      }
      const pointer =
        status === 200 && operation !== undefined
          ? pointerTo(operation)
          : status === 200
            ? undefined
            : '#/components/schemas/Error';
      const problem = pointer === undefined ? undefined : problemsOfBody(pointer, body);
      return problem === undefined
        ? undefined
        : `${name}, which is not what it documents: ${problem}${excerpt}`;
    },
  };
}

function pointerTo({ path, method }: Operation): string {
  const part = encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `#/paths/${part}/${method.toLowerCase()}/responses/200/content/application~1json/schema`;
}

function operationsOf(document: Contract['document']): Operation[] {
  return Object.entries(document.paths as Record<string, Record<string, Operation['specification']>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, specification]) => ({
        operationId: specification.operationId,
        method: method.toUpperCase() as Operation['method'],
        path,
        pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
        specification,
      })),
  );
}
