// Bodies and parameters: what a schema allows, and then what it does not.
import { randomUUID } from 'node:crypto';
import { hostileNumbers, hostileTexts, madeTexts, madeValues, textsOf } from './hostile.ts';
import type { Random } from './random.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON schemas are walked freely
type Json = any;

export interface Values {
  /** Something the schema allows. `known` may give a value that an answer had for a field of that name. */
  valid(schema: Json, known: (name: string) => unknown): Json;
  /** The same with one to three things made wrong. */
  mutated(value: Json): Json;
  hostileText(): string;
}

const words = ['Kettle', 'Ada Byron', 'Grüße', '北京', 'a', 'A-1', '12 oz', '1Z999AA10123456784', 'x y'];
/** For patterns that fast-check cannot read. */
const measures = ['12 oz', '1 lb', '0.5 kg', '10 in', '2.5 cm', '50 lb', 'Own vans'];
const times = ['2026-01-02T03:04:05Z', '2026-11-21T10:15:00.123+02:00', '1999-12-31T23:59:59Z'];
const days = ['2026-01-01', '2026-11-21', '2027-12-31', '2020-02-29'];

export function makeValues(random: Random, seed: number, components: Json): Values {
  const texts = [...hostileTexts, ...madeTexts(seed)];
  const anything = madeValues(seed);
  const patterns = new Map<string, string[]>();
  const resolve = (schema: Json): Json =>
    schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)];

  const textOf = (schema: Json, name: string, known: (name: string) => unknown): unknown => {
    const seen = random.chance(schema.format === 'uuid' ? 0.97 : 0.4) ? known(name) : undefined;
    if (typeof seen === 'string' && seen.length <= (schema.maxLength ?? 300)) return seen;
    if (schema.format === 'uuid') return randomUUID();
    if (schema.format === 'date-time') return random.pick(times);
    if (schema.format === 'date') return random.pick(days);
    if (schema.format === 'email') return 'ada@example.com';
    if (schema.format === 'uri') return `https://example.com/${random.below(1000)}`;
    if (schema.examples !== undefined && random.chance(0.7)) return random.pick(schema.examples);
    if (schema.pattern !== undefined) {
      const made = patterns.get(schema.pattern) ?? textsOf(schema.pattern, seed);
      patterns.set(schema.pattern, made);
      return random.pick(made.length === 0 ? measures : made);
    }
    if (schema.maxLength !== undefined && random.chance(0.03)) return 'y'.repeat(schema.maxLength);
    const text = random.chance(0.9) ? `${random.pick(words)} ${random.below(10_000)}` : random.pick(texts);
    return text.slice(0, schema.maxLength ?? 100);
  };
  const numberOf = (schema: Json): number => {
    const least = schema.minimum ?? (schema.exclusiveMinimum ?? -10) + 1;
    const most = schema.maximum ?? least + 1_000;
    const chosen = random.below(20);
    if (chosen === 0) return most;
    if (chosen === 1) return least;
    const near = Math.min(most, Math.max(least, 1) + random.below(chosen < 16 ? 6 : 5_000));
    return schema.type?.includes?.('integer') || random.chance(0.6) ? Math.trunc(near) : near + 0.12345;
  };
  const objectOf = (schema: Json, known: (name: string) => unknown, depth: number): Json => {
    const result: Json = {};
    const required = new Set(schema.required ?? []);
    const share = depth === 0 ? random.pick([0.1, 0.3, 0.6]) : 0.35 / depth;
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      if (required.has(field) || random.chance(share)) result[field] = valid(inner, field, known, depth + 1);
    }
    if (typeof schema.additionalProperties === 'object' || (schema.minProperties ?? 0) > 0) {
      for (let count = (schema.minProperties ?? 0) + random.below(2); count > 0; count -= 1) {
        const name = String(textOf(schema.propertyNames ?? { maxLength: 20 }, '', () => undefined));
        const inner = schema.additionalProperties;
        result[name] = typeof inner === 'object' ? valid(inner, name, known, depth + 1) : 'value';
      }
    }
    return result;
  };
  const valid = (given: Json, name: string, known: (name: string) => unknown, depth = 0): Json => {
    const schema = resolve(given);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives !== undefined) return valid(random.pick(alternatives), name, known, depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return random.pick(schema.enum);
    const types = [schema.type].flat();
    if (types.includes('null') && (types.length === 1 || random.chance(0.1))) return null;
    const type = types.find((one: string) => one !== 'null');
    if (type === 'string') return textOf(schema, name, known);
    if (type === 'integer' || type === 'number') return numberOf(schema);
    if (type === 'boolean') return random.chance(0.5);
    if (type === 'array') {
      const count = Math.max(schema.minItems ?? 0, random.pick([0, 1, 1, 1, 2, 3]));
      return Array.from({ length: count }, () => valid(schema.items ?? {}, name, known, depth + 1));
    }
    if (type === 'object') return objectOf(schema, known, depth);
    return random.pick(anything);
  };
  return {
    valid: (schema, known) => valid(schema, '', known),
    mutated: (value) => mutated(value, random, texts, anything),
    hostileText: () => random.pick(texts),
  };
}

function mutated(value: Json, random: Random, texts: string[], anything: unknown[]): Json {
  const root = { value: structuredClone(value) };
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const places = placesIn(root);
    const [holder, name] = random.pick(places);
    holder[name] = wrong(holder[name], random, texts, anything);
    if (!Array.isArray(holder) && random.chance(0.15)) addName(holder, random.pick(texts));
    if (holder !== root && random.chance(0.1)) delete holder[name];
  }
  return root.value;
}

function placesIn(root: Json): [Json, string | number][] {
  const places: [Json, string | number][] = [];
  const visit = (holder: Json) => {
    for (const name of Object.keys(holder)) {
      places.push([holder, name]);
      if (typeof holder[name] === 'object' && holder[name] !== null) visit(holder[name]);
    }
  };
  visit(root);
  return places;
}

/** As a field of its own, which assigning `__proto__` would not make. */
function addName(holder: Json, name: string): void {
  const value = { polluted: true };
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

function wrong(value: Json, random: Random, texts: string[], anything: unknown[]): unknown {
  switch (random.below(12)) {
    case 0:
      return null;
    case 1:
      return [value];
    case 2:
      return { value };
    case 3:
      return String(value);
    case 4:
      return random.pick([true, false, {}, [], '']);
    case 5:
      return structuredClone(random.pick(anything));
    case 6:
      return nested(random.pick([5, 19, 21, 60]));
    case 7:
      return Array.isArray(value)
        ? Array(random.pick([2, 60, 2_500])).fill(value[0] ?? null)
        : [value, value];
    case 8:
    case 9:
      return random.pick(hostileNumbers);
    default:
      return random.pick(texts);
  }
}

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}
