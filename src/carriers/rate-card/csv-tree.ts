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
  return { document: growNode(root), placeOf: (pointer) => placeIn(root, pointer.split('/').slice(1)) };
}

function growNode(node: Branch | Leaf): unknown {
  if (!isBranch(node)) return node.value;
  const children = childrenOf(node);
  if (node.list) return children.map(([, child]) => growNode(child));
  // As entries, so that no name means more than a name.
  return Object.fromEntries(children.map(([key, child]) => [key, growNode(child)]));
}

/** Of lists, which are asked for many places. */
const ordered = new WeakMap<Branch, [string, Branch | Leaf][]>();

/** Called when the tree is complete. */
function childrenOf(branch: Branch): [string, Branch | Leaf][] {
  const known = ordered.get(branch);
  if (known !== undefined) return known;
  const { list, children } = branch;
  const all = [...children];
  const isNumbered = list && all.every(([key]) => /^\d+$/.test(key));
  if (isNumbered) all.sort(([a], [b]) => Number(a) - Number(b));
  if (list) ordered.set(branch, all);
  return all;
}

function placeIn(root: Branch, parts: readonly string[]): { line: number | null; field: string } {
  let node: Branch | Leaf = root;
  const path: string[] = [];
  for (const [depth, part] of parts.entries()) {
    const found: [string, Branch | Leaf | undefined] | undefined = !isBranch(node)
      ? undefined
      : node.list
        ? childrenOf(node)[Number(part)]
        : [part, node.children.get(part)];
    if (found?.[1] === undefined) {
      const rest = parts.slice(depth);
      const field = [...(isBranch(node) ? path : [node.field]), ...rest].join('.');
      return { line: depth === 0 ? null : (anyPlace(node)?.line ?? null), field };
    }
    node = found[1];
    path.push(found[0]);
  }
  return isBranch(node) ? { line: anyPlace(node)?.line ?? null, field: path.join('.') } : node;
}
