// The results of a run as text: for the terminal, and for docs/performance.md.
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { Options } from './options.ts';
import type { Result } from './run.ts';

const file = join(import.meta.dirname, '../docs/performance.md');

const columns = [
  'Scenario',
  'Service /s',
  'p50 ms',
  'p99 ms',
  'SQL floor /s',
  'of floor',
  'Bare HTTP /s',
  'of bare',
  'Memory MB',
];

const cpuColumns = [
  'Milliseconds of CPU for one request',
  'Service',
  'its PostgreSQL',
  'Generator',
  'Driver of the floor',
  'its PostgreSQL',
];

function cpuTableOf(results: readonly Result[]): string {
  const text = (ms: number | null) => (ms === null ? '-' : ms.toFixed(2));
  return markdownTable(
    cpuColumns,
    results.map(({ scenario, cpu }) => [
      scenario.title,
      ...[cpu.service, cpu.database, cpu.generator, cpu.driver, cpu.replayed].map(text),
    ]),
  );
}

function tableOf(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.scenario.title,
    whole(result.service.perSecond),
    result.service.p50.toFixed(1),
    result.service.p99.toFixed(1),
    result.sql === null ? '-' : whole(result.sql.perSecond),
    result.ofSql === null ? '-' : percent(result.ofSql),
    whole(result.http.perSecond),
    percent(result.ofHttp),
    result.peakMegabytes === null ? '-' : String(result.peakMegabytes),
  ]);
  return markdownTable(columns, rows);
}

export function markdownTable(head: string[], rows: string[][]): string {
  const table = [head, head.map((_, n) => (n === 0 ? '---' : '---:')), ...rows];
  const widths = head.map((_, n) => Math.max(...table.map((row) => row[n]!.length)));
  const line = (row: string[]) =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!))).join(' | ');
  return table.map((row) => `| ${line(row)} |`).join('\n');
}

function floorsOf(results: readonly Result[]): string {
  return results
    .map(({ scenario, sql, answerBytes }) => {
      const counts = sql === null ? '' : ` ${sql.statements} statements, ${sql.waits} waits.`;
      return `- ${scenario.title}: ${scenario.floor}${counts} The answer has ${answerBytes} bytes.`;
    })
    .join('\n');
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const percent = (value: number) => `${Math.round(value * 100)} %`;

/** Machine, date and versions. */
export function circumstances(options: Options, postgres: string): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${first?.model.trim() ?? 'unknown CPU'}, ${gigabytes} GB, ${type()} ${release()};`,
    `Node ${process.versions.node}, PostgreSQL ${postgres}; ${options.orders.toLocaleString('en-US')} orders,`,
    `${options.concurrency} requests at a time, medians of ${options.rounds} rounds of ${options.seconds} s.`,
  ].join(' ');
}

export function reportText(options: Options, postgres: string, results: readonly Result[]): string {
  return [circumstances(options, postgres), tableOf(results), cpuTableOf(results), floorsOf(results)].join(
    '\n\n',
  );
}

/** Replaces what the last run of this size wrote. */
export async function writeReport(options: Options, postgres: string, results: Result[]): Promise<void> {
  const begin = `<!-- bench ${options.size} begin -->`;
  const end = `<!-- bench ${options.size} end -->`;
  const text = await readFile(file, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no place for ${options.size}`);
  await writeFile(
    file,
    `${text.slice(0, from)}${begin}\n${reportText(options, postgres, results)}\n${text.slice(to)}`,
  );
}
