// Finds the functions of a source file and how long each is.
import { stripTypeScriptTypes } from 'node:module';
import { parse } from 'acorn';

export interface FunctionSize {
  name: string;
  lines: number;
}

// biome-ignore lint/suspicious/noExplicitAny: the syntax tree is walked as the JSON it is
type Node = any;

/** Types are blanked out by Node itself, as it does before it runs a file, so every line stays where it is. */
export function functionsOf(text: string): FunctionSize[] {
  const program = parse(stripTypeScriptTypes(text, { mode: 'strip' }), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    allowHashBang: true,
  });
  const found: FunctionSize[] = [];
  walk(program, undefined, found);
  return found;
}

function walk(node: Node, name: string | undefined, found: FunctionSize[]): void {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, undefined, found);
    return;
  }
  if (typeof node?.type !== 'string') return;
  if (/Function/.test(node.type)) {
    const own = node.id?.name ?? name ?? `function at line ${node.loc.start.line}`;
    found.push({ name: own, lines: node.loc.end.line - node.loc.start.line + 1 });
  }
  for (const [key, child] of Object.entries(node)) {
    const named = key === 'init' ? node.id?.name : key === 'value' ? node.key?.name : undefined;
    walk(child, named, found);
  }
}
