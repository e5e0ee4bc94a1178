// Reads one row of settings of a rate card: a path such as `services.ground.name`, and its value as text.
import { type Branch, branchAt, type Row, type RowIssue, setLeaf } from './csv-tree.ts';
import { RateCard } from './schema.ts';

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
}

const listSeparator = '|';

/** Set by the table, whatever the settings say. */
const ofTheTable = new Set(['code', 'breaks', 'additionalWeight']);

/** What is no value of its type is set as it is, for the check to name. */
export function readSetting(card: Branch, { line, cells }: Row): RowIssue[] {
  const [name = '', value = '', ...others] = cells;
  const wrong = (code: string, message: string): RowIssue[] => [{ line, field: name, code, message }];
  if (name === '') return wrong('required', 'a row above the table begins with the name of a setting');
  if (others.some((cell) => cell !== '')) return wrong('wrong_cells', 'has one value, in the second cell');
  if (value === '') return wrong('required', 'has no value');
  const keys = name.split('.');
  if (keys.length > 10 || keys.some((key) => !/^([\w-]+|\*)$/.test(key))) {
    return wrong('unknown_field', 'is not a known setting');
  }
  let branch = card;
  let schema: JsonSchema | undefined = RateCard as JsonSchema;
  for (const [depth, key] of keys.entries()) {
    const isService = depth === 1 && keys[0] === 'services';
    if (schema?.type === 'array' && !isService && !/^[1-9]\d{0,3}$/.test(key)) {
      const list = keys.slice(0, depth).join('.');
      return wrong('unknown_field', `must be ${list}.1, ${list}.2 and so on`);
    }
    schema = schemaOf(schema, key);
    if (depth === 2 && keys[0] === 'services' && ofTheTable.has(key)) {
      return wrong('not_allowed', 'is what the table of prices says');
    }
    if (depth === keys.length - 1) break;
    const next = branchAt(branch, key, schema?.type === 'array');
    if (next === undefined) return wrong('duplicate', 'is set above, as a whole');
    branch = next;
    if (isService) setLeaf(branch, 'code', { line, field: name, value: key });
  }
  const leaf = { line, field: name, value: settingOf(schema, value) };
  const before = setLeaf(branch, keys.at(-1)!, leaf);
  return before === undefined ? [] : wrong('duplicate', `is set on line ${before} already`);
}

function schemaOf(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  if (schema?.type === 'array') return schema.items;
  if (schema?.properties !== undefined) {
    return Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
  }
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

function settingOf(schema: JsonSchema | undefined, text: string): unknown {
  switch (schema?.type) {
    case 'number':
    case 'integer':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return { true: true, false: false }[text.toLowerCase()] ?? text;
    case 'array':
      if (schema.items?.type === 'string') return text.split(listSeparator).map((part) => part.trim());
      return jsonOf(text);
    case 'object':
      return jsonOf(text);
    default:
      return text;
  }
}

/** A cell may hold a whole part of the card, as the JSON form has it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
