// What PostgreSQL does for each read of the benchmark: the rows it looks at, the rows it sorts, the tables it walks through.
import type pg from 'pg';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { connect } from '../src/database/connect.ts';
import { basePath } from '../src/http/openapi.ts';
import { readCursors } from './catalogue.ts';
import type { DataSet } from './data-set.ts';
import type { Scenario } from './scenario.ts';
import { listPairs } from './scenarios/list-pairs.ts';
import { readScenarios } from './scenarios/lists.ts';
import { recordedSettings } from './service.ts';
import { record } from './tape.ts';

/** The worst of a read's statements. */
export interface ReadPlan {
  name: string;
  /** What it may grow with; undefined where it must not. */
  cost: string | undefined;
  /** The most rows that one node of the plan looked at, those it threw away included. */
  rowsRead: number;
  rowsSorted: number;
  /** The most rows of a table that was read from end to end; small tables may be. */
  rowsWalked: number;
  milliseconds: number;
}

/** More than a page of 20 with all that belongs to it needs, and far less than any table that grows. */
const mostRowsRead = 1_000;
/** Of a list that is put together from parts: as many as hold records in the data set, at most. */
const parts = 10;
/** A page of 20 and the next row, of each part. */
const mostRowsSorted = parts * 21;
/** Organisations of the data set. Where they are a family and its parent asks for all, each has its parts. */
const family = 5;
const ofFamily = /child(Orders|Inventory)=true/;
/** Warehouses and the like: an index would not be worth its while. */
const mostRowsWalked = 500;
/** Kept totals, which are as many as there are states, suppliers and warehouses, and not as many as records. */
const totals = /_totals$/;

/** Of the benchmark's reads, or those that are named, and of every filter of the lists with every sort. */
export async function plansOf(
  url: string,
  { key, catalogue }: Pick<DataSet, 'key' | 'catalogue'>,
  only: readonly string[] = [],
): Promise<{ reads: ReadPlan[]; pairs: ReadPlan[] }> {
  const database = connect(url, { applicationName: 'waybill-bench-explain' });
  const config = readConfig(recordedSettings);
  const app = await buildApp({ database, config });
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await app.inject({ method: 'GET', url: basePath + path, headers });
    if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.body}`);
    return answer;
  };
  const planOf = async (read: { name: string; cost?: string }, path: string, check?: Scenario['check']) => {
    const tape = await record(async () => {
      const answer = await get(path);
      check?.(answer.json());
    });
    const plan: ReadPlan = { name: read.name, cost: read.cost, ...nothingRead };
    for (const { query } of tape.flat()) {
      if (typeof query !== 'string') await addStatement(plan, database.pool, query);
    }
    return plan;
  };
  try {
    await readCursors(catalogue, async (path) => (await get(path)).json());
    const plans = { reads: [] as ReadPlan[], pairs: [] as ReadPlan[] };
    for (const scenario of readScenarios) {
      if (only.length > 0 && !only.includes(scenario.name)) continue;
      plans.reads.push(await planOf(scenario, scenario.request(0, catalogue).path, scenario.check));
    }
    if (only.length > 0) return plans;
    const [supplier] = (await get('/suppliers?limit=1&sortOrder=asc')).json().data;
    const own = { ...catalogue.own!, supplierId: supplier.id };
    for (const pair of listPairs) plans.pairs.push(await planOf(pair, pair.path(own)));
    return plans;
  } finally {
    await app.close();
    await database.close();
  }
}

const nothingRead = { rowsRead: 0, rowsSorted: 0, rowsWalked: 0, milliseconds: 0 };

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
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
  if (node['Node Type'] === 'Seq Scan' && !totals.test(node['Relation Name'] ?? ''))
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
    .filter(({ cost }) => cost === undefined)
    .map((plan) => ({ ...plan, organizations: ofFamily.test(plan.name) ? family : 1 }))
    .flatMap(({ name, rowsRead, rowsSorted, rowsWalked, organizations }) => [
      ...(rowsRead > mostRowsRead * organizations ? [`${name} reads ${rowsRead} rows`] : []),
      ...(rowsSorted > mostRowsSorted * organizations ? [`${name} sorts ${rowsSorted} rows`] : []),
      ...(rowsWalked > mostRowsWalked ? [`${name} walks through a table of ${rowsWalked} rows`] : []),
    ]);
}
