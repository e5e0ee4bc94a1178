// Reads a statement as PostgreSQL does and says which tenant's tables it reaches without naming the organisation.
import { loadModule, parseSync } from 'libpg-query';

/** Tables that are read before the organisation of a request is known; every other one belongs to tenants. */
export const referenceTables = ['organizations', 'api_keys', 'schema_migrations'];

/** Statements that look across organisations on purpose; each says why. */
const acrossOrganizations: { why: string; statement: RegExp }[] = [
  {
    why: 'background work finds what is due anywhere, and does each in its own organisation',
    statement:
      /from backorder_fills order by created_at limit|from inventory_levels where next_expiration_date/,
  },
  {
    why: 'what shipments, manifests and returns are owed is found anywhere too',
    statement:
      /from shipments where next_attempt_at <= \$1 order by|from shipments where next_track_at <= \$1 order by|from manifests\s+where status = 'pending' and claimed_until <= \$1 order by|from return_orders\s+where label_wanted_at <= \$1 order by/,
  },
  { why: 'old answers go by their age alone', statement: /^\s*delete from idempotency_keys/ },
  {
    why: 'so do old deliveries',
    statement: /^\s*delete from webhook_deliveries where \(organization_id, id\)/,
  },
  {
    why: 'the way of events looks where there is something to do, and does each in its own organisation',
    statement:
      /^\s*select distinct organization_id as id from events|^\s*select c\.organization_id as id from event_counters c|^\s*select w\.organization_id as "organizationId", w\.id from webhook_endpoints w/,
  },
];

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree is walked as the JSON it is
type Node = any;

await loadModule();

/** One sentence for each table that the statement reaches without `organization_id = $n`. */
export function tenancyProblems(text: string): string[] {
  if (acrossOrganizations.some(({ statement }) => statement.test(text))) return [];
  const problems: string[] = [];
  for (const { stmt } of parseSync(text).stmts ?? []) visit(stmt, new Set(), problems);
  return problems;
}

function visit(node: Node, outerCtes: Set<string>, problems: string[]): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, outerCtes, problems);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  for (const [kind, inner] of Object.entries<Node>(node)) {
    let ctes = outerCtes;
    const ctesHere: Node[] = inner?.withClause?.ctes ?? [];
    if (ctesHere.length > 0) {
      ctes = new Set([...outerCtes, ...ctesHere.map(({ CommonTableExpr }) => CommonTableExpr.ctename)]);
    }
    if (kind === 'SelectStmt' || kind === 'larg' || kind === 'rarg') checkSelect(inner, ctes, problems);
    if (kind === 'UpdateStmt') checkChange(inner, inner.fromClause, ctes, problems);
    if (kind === 'DeleteStmt') checkChange(inner, inner.usingClause, ctes, problems);
    if (kind === 'InsertStmt') checkInsert(inner, problems);
    visit(inner, ctes, problems);
  }
}

interface Table {
  name: string;
  alias: string;
  /** Conditions that hold for each of its rows. */
  conditions: Node[];
}

function checkSelect(select: Node, ctes: Set<string>, problems: string[]): void {
  const tables: Table[] = [];
  for (const item of select.fromClause ?? []) collectTables(item, [], tables);
  checkTables(tables, select.whereClause, ctes, problems);
}

function checkChange(change: Node, from: Node[] = [], ctes: Set<string>, problems: string[]): void {
  const tables: Table[] = [];
  collectTables({ RangeVar: change.relation }, [], tables);
  for (const item of from) collectTables(item, [], tables);
  checkTables(tables, change.whereClause, ctes, problems);
}

/** An outer join's condition binds only the side that may be missing. */
function collectTables(item: Node, conditions: Node[], tables: Table[]): void {
  if (item.RangeVar !== undefined) {
    const { relname, alias } = item.RangeVar;
    tables.push({ name: relname, alias: alias?.aliasname ?? relname, conditions });
  } else if (item.JoinExpr !== undefined) {
    const { jointype, larg, rarg, quals } = item.JoinExpr;
    const both = [...conditions, ...conjuncts(quals)];
    const left = jointype === 'JOIN_LEFT' || jointype === 'JOIN_FULL' ? conditions : both;
    const right = jointype === 'JOIN_RIGHT' || jointype === 'JOIN_FULL' ? conditions : both;
    collectTables(larg, left, tables);
    collectTables(rarg, right, tables);
  } else if (!('RangeSubselect' in item || 'RangeFunction' in item)) {
    throw new Error(`tenancy.ts does not know ${Object.keys(item)} in a from clause`);
  }
}

function checkTables(tables: Table[], where: Node, ctes: Set<string>, problems: string[]): void {
  const everywhere = conjuncts(where);
  for (const { name, alias, conditions } of tables) {
    if (ctes.has(name) || referenceTables.includes(name) || isCatalog(name)) continue;
    const named = [...conditions, ...everywhere].some((condition) =>
      namesOrganization(condition, alias, tables.length === 1),
    );
    if (!named) problems.push(`reaches ${name} (as ${alias}) without ${alias}.organization_id = $n`);
  }
}

function checkInsert(insert: Node, problems: string[]): void {
  const table = insert.relation.relname;
  if (referenceTables.includes(table)) return;
  const index = (insert.cols ?? []).findIndex((column: Node) => column.ResTarget.name === 'organization_id');
  if (index < 0) {
    problems.push(`inserts into ${table} without organization_id`);
    return;
  }
  for (const row of insert.selectStmt?.SelectStmt?.valuesLists ?? []) {
    if (!isParameter(row.List.items[index])) {
      problems.push(`inserts into ${table} an organization_id that is no parameter`);
      return;
    }
  }
}

function conjuncts(condition: Node): Node[] {
  if (condition === undefined) return [];
  if (condition.BoolExpr?.boolop === 'AND_EXPR') return condition.BoolExpr.args.flatMap(conjuncts);
  return [condition];
}

/** `alias.organization_id = $n`, also with a cast, also `= any($n)`. */
function namesOrganization(condition: Node, alias: string, alone: boolean): boolean {
  const expression = condition.A_Expr;
  if (expression === undefined || !['AEXPR_OP', 'AEXPR_OP_ANY'].includes(expression.kind)) return false;
  if (expression.name[0]?.String?.sval !== '=') return false;
  const fields = expression.lexpr?.ColumnRef?.fields?.map((field: Node) => field.String?.sval) ?? [];
  const column = fields.at(-1) === 'organization_id';
  const ofTable = fields.length === 1 ? alone : fields[0] === alias;
  return column && ofTable && isParameter(expression.rexpr);
}

function isParameter(node: Node): boolean {
  return node?.ParamRef !== undefined || (node?.TypeCast !== undefined && isParameter(node.TypeCast.arg));
}

function isCatalog(name: string): boolean {
  return name.startsWith('pg_');
}
