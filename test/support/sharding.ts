// Reads a write as PostgreSQL does and says what in it would not run, or not mean the same, on a sharded database.
import { parseSync } from 'libpg-query';

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree is walked as the JSON it is
type Node = any;

/** A write takes times, ids and chance as parameters: each node would find its own. */
const ownToEachNode =
  /^(now|clock_timestamp|statement_timestamp|transaction_timestamp|random|gen_random_uuid|nextval)$/;

/** One sentence for each thing; reads have none. */
export function shardingProblems(text: string): string[] {
  const { stmts } = parseSync(text);
  const found = { inserted: new Set<string>(), read: new Set<string>(), functions: new Set<string>() };
  for (const { stmt } of stmts ?? []) visit(stmt, found);
  if (!/\b(insert|update|delete)\b/i.test(text)) return [];
  const problems = [...found.functions].map((name) => `calls ${name}() in a write; pass it as a parameter`);
  for (const table of found.inserted) {
    if (found.read.has(table)) problems.push(`reads ${table} while it inserts into it; use two statements`);
  }
  return isWrite(stmts) ? problems : [];
}

function isWrite(node: Node): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(
    ([kind, inner]) => /^(Insert|Update|Delete)Stmt$/.test(kind) || isWrite(inner),
  );
}

interface Found {
  inserted: Set<string>;
  read: Set<string>;
  functions: Set<string>;
}

function visit(node: Node, found: Found): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [kind, inner] of Object.entries<Node>(node)) {
    if (kind === 'InsertStmt') {
      found.inserted.add(inner.relation.relname);
      visit({ ...inner, relation: null }, found);
      continue;
    }
    if (kind === 'RangeVar') found.read.add(inner.relname);
    if (kind === 'SQLValueFunction') found.functions.add('current_timestamp');
    if (kind === 'FuncCall') {
      const name = inner.funcname.at(-1).String.sval;
      if (ownToEachNode.test(name)) found.functions.add(name);
    }
    visit(inner, found);
  }
}
