// What an organisation has been told, so that later requests can use it: ids by what they name, texts by their field.
import type { Random } from './random.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are walked freely
type Json = any;

/** A record that a path can name, with the parts of the path that lead to it. */
interface Known {
  id: string;
  within: Record<string, string>;
}

export interface Memory {
  /** Takes in the answer to a request about `path` (`/orders/{orderId}`), made with these ids. */
  learn(path: string, ids: Record<string, string>, body: Json): void;
  /** Ids for all parameters of a path, which belong together where that is known. */
  ids(random: Random, names: readonly string[]): Record<string, string>;
  /** A value that an answer had under this name; of the record `about` first. */
  value(random: Random, name: string, about?: string): unknown;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const knownMax = 12;
const recordsMax = 200;

/** Fields that take what answers show under another name. */
const otherNames = new Map<string, string[]>(
  Object.entries({
    warehouseLocationId: ['locationId'],
    toWarehouseLocationId: ['locationId', 'warehouseLocationId'],
    productVariantIdentifier: ['productVariantId', 'sku', 'barcode'],
    productVariantSku: ['sku'],
    cursor: ['nextCursor'],
    search: ['name', 'sku', 'alias', 'title'],
    objectId: ['orderId', 'productId', 'shipmentId'],
    referenceId: ['orderId', 'fulfillmentId', 'returnOrderId', 'purchaseOrderId'],
    after: ['sequence'],
  }),
);

/** `paths`: all addresses of the document, from which follows what the records of a list are called. */
export function makeMemory(paths: readonly string[]): Memory {
  const known = new Map<string, Known[]>();
  const values = new Map<string, unknown[]>();
  const records = new Map<string, Json>();
  const nameOfItem = (path: string) => {
    const longer = paths.find((one) => one.startsWith(`${path}/{`) && one.endsWith('}'));
    return longer?.slice(path.length + 2, -1).split('}')[0];
  };
  const keep = <T>(store: Map<string, T[]>, name: string, value: T) => {
    const list = store.get(name) ?? [];
    list.push(value);
    if (list.length > knownMax) list.shift();
    store.set(name, list);
  };
  const keepAll = (name: string, value: Json) => {
    if (Array.isArray(value)) for (const item of value.slice(0, 5)) keepAll(name.replace(/s$/, ''), item);
    else if (typeof value === 'object' && value !== null) {
      if (uuid.test(value.id)) keep(values, `${name}Id`, value.id);
      for (const [field, inner] of Object.entries(value)) if (field !== 'id') keepAll(field, inner);
    } else if (value !== null && value !== '') keep(values, name, value);
  };
  return {
    learn(path, ids, body) {
      const named = nameOfItem(path);
      const data = body?.data;
      for (const record of [data].flat().slice(0, 20)) {
        if (!uuid.test(record?.id)) continue;
        if (named !== undefined) keep(known, named, { id: record.id, within: { ...ids } });
        records.set(record.id, record);
        if (records.size > recordsMax) records.delete(records.keys().next().value!);
        keepAll(named?.replace(/Id$/, '') ?? '', record);
      }
      if (typeof body?.nextCursor === 'string') keep(values, 'nextCursor', body.nextCursor);
    },
    ids(random, names) {
      const last = known.get(names.at(-1) ?? '');
      const found = last === undefined ? undefined : random.pick(last);
      const chosen: Record<string, string> = {};
      for (const name of names) {
        const others = known.get(name);
        const value =
          name === names.at(-1)
            ? (found?.id ?? remembered(values, random, name))
            : (found?.within[name] ?? (others === undefined ? undefined : random.pick(others).id));
        if (typeof value === 'string') chosen[name] = value;
      }
      return chosen;
    },
    value(random, name, about) {
      const record = about === undefined ? undefined : records.get(about);
      if (record !== undefined && random.chance(0.7)) {
        const inside = within(record, name);
        if (inside.length > 0) return random.pick(inside);
      }
      const names = [name, ...(otherNames.get(name) ?? [])];
      const chosen = random.pick(names);
      const list = known.get(chosen);
      if (list !== undefined && random.chance(0.7)) return random.pick(list).id;
      return remembered(values, random, chosen);
    },
  };
}

function remembered(values: Map<string, unknown[]>, random: Random, name: string): unknown {
  const list = values.get(name);
  return list === undefined ? undefined : random.pick(list);
}

/** What a record holds for a field: `lineItemId` is also the id of each of its `lineItems`. */
function within(record: Json, name: string): unknown[] {
  const found: unknown[] = [];
  const visit = (value: Json, parent: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 4) return;
    for (const [field, inner] of Object.entries(value)) {
      const called = field === 'id' && !Array.isArray(value) ? `${parent.replace(/s$/, '')}Id` : field;
      if (called === name && inner !== null && typeof inner !== 'object') found.push(inner);
      visit(inner, Array.isArray(value) ? parent : field, depth + 1);
    }
  };
  visit(record, '', 0);
  return found;
}
