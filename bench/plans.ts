// What PostgreSQL does for each read of the benchmark: the rows it looks at, the rows it sorts, the tables it walks through.
import type pg from 'pg';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { connect } from '../src/database/connect.ts';
import { basePath } from '../src/http/openapi.ts';
import { readCursors } from './catalogue.ts';
import type { DataSet } from './data-set.ts';
import type { Scenario } from './scenario.ts';
import { readScenarios } from './scenarios/lists.ts';
import { recordedSettings } from './service.ts';
import { record } from './tape.ts';

/** The worst of a read's statements. */
export interface ReadPlan {
  scenario: Scenario;
  /** The most rows that one node of the plan looked at, those it threw away included. */
  rowsRead: number;
  rowsSorted: number;
  /** The most rows of a table that was read from end to end; small tables may be. */
  rowsWalked: number;
  milliseconds: number;
}

/** More than a page of 20 with all that belongs to it needs, and far less than any table that grows. */
const mostRowsRead = 1_000;
/** A page and the next row, from either half of a list that has nulls. */
const mostRowsSorted = 2 * 21;
/** Warehouses, kept totals and the like: an index would not be worth its while. */
const mostRowsWalked = 500;

export async function plansOf(
  url: string,
  { key, catalogue }: Pick<DataSet, 'key' | 'catalogue'>,
  only: readonly string[] = [],
): Promise<ReadPlan[]> {
  const database = connect(url, { applicationName: 'waybill-bench-explain' });
  const config = readConfig(recordedSettings);
  const app = await buildApp({ database, config });
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await app.inject({ method: 'GET', url: basePath + path, headers });
    if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.body}`);
    return answer;
  };
  const plans: ReadPlan[] = [];
  try {
    await readCursors(catalogue, async (path) => (await get(path)).json());
    for (const scenario of readScenarios) {
      if (only.length > 0 && !only.includes(scenario.name)) continue;
      const tape = await record(async () => {
        scenario.check((await get(scenario.request(0, catalogue).path)).json());
      });
      const plan: ReadPlan = { scenario, rowsRead: 0, rowsSorted: 0, rowsWalked: 0, milliseconds: 0 };
      for (const { query } of tape.flat()) {
        if (typeof query !== 'string') await addStatement(plan, database.pool, query);
      }
      plans.push(plan);
    }
  } finally {
    await app.close();
    await database.close();
  }
  return plans;
}

interface Node {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

async function addStatement(
  plan: ReadPlan,
  pool: pg.Pool,
  query: { text: string; values: unknown[] },
): Promise<void> {
  const { rows } = await pool.query({
    text: `explain (analyze, format json) ${query.text}`,
    values: query.values,
  });
  const [explained] = rows[0]['QUERY PLAN'] as [{ Plan: Node; 'Execution Time': number }];
  plan.milliseconds = Math.max(plan.milliseconds, explained['Execution Time']);
  addNode(plan, explained.Plan);
}

function addNode(plan: ReadPlan, node: Node): void {
  const loops = node['Actual Loops'];
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const seen = (node['Actual Rows'] + removed) * loops;
  plan.rowsRead = Math.max(plan.rowsRead, seen);
  if (node['Node Type'] === 'Seq Scan')
    plan.rowsWalked = Math.max(plan.rowsWalked, loops === 0 ? 0 : seen / loops);
  // A sort that stops early still takes in all that comes from below.
  if (/Sort$/.test(node['Node Type'])) {
    const taken = (node.Plans ?? []).map((below) => below['Actual Rows']);
    const sorted = node['Node Type'] === 'Incremental Sort' ? node['Actual Rows'] : Math.max(...taken);
    plan.rowsSorted = Math.max(plan.rowsSorted, sorted);
  }
  for (const below of node.Plans ?? []) addNode(plan, below);
}

/** What is wrong with the plans of reads whose cost should not know how large the table is. */
export function unboundedReads(plans: readonly ReadPlan[]): string[] {
  return plans
    .filter(({ scenario }) => scenario.cost === undefined)
    .flatMap(({ scenario: { name }, rowsRead, rowsSorted, rowsWalked }) => [
      ...(rowsRead > mostRowsRead ? [`${name} reads ${rowsRead} rows`] : []),
      ...(rowsSorted > mostRowsSorted ? [`${name} sorts ${rowsSorted} rows`] : []),
      ...(rowsWalked > mostRowsWalked ? [`${name} walks through a table of ${rowsWalked} rows`] : []),
    ]);
}
