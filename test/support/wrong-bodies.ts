// A body with one thing wrong in it, for each thing that its schema knows to be wrong, at every depth.

// biome-ignore lint/suspicious/noExplicitAny: JSON schemas are walked freely
export type Schema = any;

const wrongFor: Record<string, unknown[]> = {
  string: [5, true, {}, []],
  number: ['5', 'x', true, {}, []],
  integer: [1.5, '5', true, {}, []],
  boolean: ['true', 1, {}, []],
  array: ['x', 5, {}],
  object: ['x', 5, []],
};

/** Values that this part of a body must not be. */
function wrongValuesOf(schema: Schema): unknown[] {
  const types = [schema.type].flat();
  const wrong = types.flatMap((type: string) => wrongFor[type] ?? []).filter((value) => !fits(value, types));
  if (schema.format === 'uuid') wrong.push('x', 'ffffffff-ffff-ffff-ffff-fffffffffffg');
  if (/^date/.test(schema.format ?? ''))
    wrong.push(
      'x',
      '2026-02-30',
      '2026-13-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '+012026-01-01T00:00:00Z',
      '2026-01-01T00:00:00',
    );
  if (schema.format === 'uri') wrong.push('x', 'javascript:alert(1)', 'file:///etc/passwd');
  if (schema.maximum !== undefined) wrong.push(schema.maximum + 1, 1e300);
  if (schema.minimum !== undefined) wrong.push(schema.minimum - 1, -1e300);
  if (schema.maxLength !== undefined) wrong.push('x'.repeat(schema.maxLength + 1));
  if (schema.minLength !== undefined && schema.minLength > 0) wrong.push('');
  if (schema.enum !== undefined) wrong.push('nonsense');
  if (schema.maxItems !== undefined) wrong.push(new Array(schema.maxItems + 1).fill(null));
  return wrong;
}

function fits(value: unknown, types: string[]): boolean {
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  return types.includes(type) || (type === 'number' && types.includes('integer') && Number.isInteger(value));
}

type Path = (string | number)[];

/** Each field of the schema in turn, its path as a JSON pointer. What leads there is taken from `sample`, or made. */
export function wrongBodies(schema: Schema, sample: unknown): { at: string; body: unknown }[] {
  return [...fieldsOf(schema, [])].flatMap(({ path, part }) =>
    wrongValuesOf(part).map((value) => {
      const root = { body: structuredClone(sample ?? {}) };
      put(root, ['body', ...path], value);
      return { at: `/${path.join('/')}`, body: root.body };
    }),
  );
}

function* fieldsOf(schema: Schema, path: Path): Generator<{ path: Path; part: Schema }> {
  for (const [name, part] of Object.entries<Schema>(schema.properties ?? {})) {
    yield { path: [...path, name], part };
    yield* fieldsOf(part, [...path, name]);
    if (part.items !== undefined) {
      // Of items that may be anything, the first alternative is what they should be.
      const item = part.items.anyOf?.[0] ?? part.items;
      yield { path: [...path, name, 0], part: item };
      yield* fieldsOf(item, [...path, name, 0]);
    }
  }
}

function put(target: Schema, [name, ...rest]: Path, value: unknown): void {
  if (rest.length === 0) {
    target[name!] = value;
    return;
  }
  target[name!] ??= typeof rest[0] === 'number' ? [] : {};
  put(target[name!], rest, value);
}
