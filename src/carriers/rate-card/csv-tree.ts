// A document that is put together from cells of a table, and that remembers which line each part of it came from.

/** A row of the table, without the blanks around its cells. */
export interface Row {
  line: number;
  cells: string[];
}

export interface Place {
  line: number;
  /** The setting or column. */
  field: string;
}

/** A row or cell that cannot be made a part of the document. */
export interface RowIssue extends Place {
  code: string;
  message: string;
}

interface Leaf extends Place {
  value: unknown;
}

export interface Branch {
  /** A list is answered without its keys: in the order of its numbers, or else as they came. */
  list: boolean;
  children: Map<string, Branch | Leaf>;
}

export const newBranch = (list = false): Branch => ({ list, children: new Map() });

const isBranch = (node: Branch | Leaf): node is Branch => 'children' in node;

/** The branch at a key, made where there is none; undefined where a value is there already. */
export function branchAt(parent: Branch, key: string, list = false): Branch | undefined {
  const found = parent.children.get(key);
  if (found !== undefined) return isBranch(found) ? found : undefined;
  const made = newBranch(list);
  parent.children.set(key, made);
  return made;
}

/** Sets a value; where there is something already, that stays and its line is returned. */
export function setLeaf(parent: Branch, key: string, leaf: Leaf): number | undefined {
  const found = parent.children.get(key);
  if (found !== undefined) return isBranch(found) ? (anyPlace(found)?.line ?? 0) : found.line;
  parent.children.set(key, leaf);
  return undefined;
}

function anyPlace(node: Branch | Leaf): Place | undefined {
  if (!isBranch(node)) return node;
  for (const child of node.children.values()) {
    const place = anyPlace(child);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Where a part of the document came from; a part that is not there has no line, unless what it belongs to has. */
export type PlaceOf = (pointer: string) => { line: number | null; field: string };

export function grow(root: Branch): { document: unknown; placeOf: PlaceOf } {
  const grown = new Map<string, { node: Branch | Leaf; path: string }>();
  const growAt = (node: Branch | Leaf, pointer: string, path: string): unknown => {
    grown.set(pointer, { node, path });
    if (!isBranch(node)) return node.value;
    const children = [...node.children];
    const pathOf = (key: string) => (path === '' ? key : `${path}.${key}`);
    if (!node.list) {
      // As entries, so that no name means more than a name.
      return Object.fromEntries(
        children.map(([key, child]) => [key, growAt(child, `${pointer}/${key}`, pathOf(key))]),
      );
    }
    if (children.every(([key]) => /^\d+$/.test(key))) children.sort(([a], [b]) => Number(a) - Number(b));
    return children.map(([key, child], index) => growAt(child, `${pointer}/${index}`, pathOf(key)));
  };
  const document = growAt(root, '', '');
  const placeOf: PlaceOf = (pointer) => {
    let at = pointer;
    while (at !== '' && !grown.has(at)) at = at.slice(0, Math.max(at.lastIndexOf('/'), 0));
    const { node, path } = grown.get(at)!;
    const rest = pointer.slice(at.length).replaceAll('/', '.');
    const field = `${isBranch(node) ? path : node.field}${rest}`.replace(/^\./, '');
    return { line: at === '' ? null : (anyPlace(node)?.line ?? null), field };
  };
  return { document, placeOf };
}
