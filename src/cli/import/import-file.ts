// Imports a file: reads it record by record, checks each as the API would, writes them in batches, names what is wrong.
import { basename } from 'node:path';
import type { Database } from '../../database/connect.ts';
import { ApiError, type Issue } from '../../errors.ts';
import { validator } from '../../http/validate.ts';
import { StartError } from '../../start-error.ts';
import type { Importing, Kind, Outcome, Row } from './kind.ts';
import { openFile } from './open-file.ts';
import type { Progress } from './progress.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';

export interface ImportOptions {
  database: Database;
  organizationId: string;
  kind: Kind;
  file: string;
  delimiter?: string;
  dryRun?: boolean;
  again?: boolean;
}

export interface Summary {
  made: number;
  there: number;
  failed: number;
}

export async function importFile(options: ImportOptions, progress: Progress): Promise<Summary> {
  const { database, organizationId, kind, file, delimiter = ',', dryRun = false, again = false } = options;
  const fileName = basename(file);
  const importing: Importing = { database, organizationId, fileName, dryRun, again };
  const issuesOf = validator(kind.schema, 'body');
  const summary: Summary = { made: 0, there: 0, failed: 0 };
  const fail = (row: Row, issues: readonly Issue[]) => {
    summary.failed += 1;
    for (const { path, message } of issues) {
      const { line, field } = row.placeOf(path);
      progress.say(`${fileName}:${line}: ${field === '' ? '' : `${field}: `}${message}`);
    }
  };

  const opened = await openFile(file);
  progress.start(opened.size);
  const isJson = /\.(json|jsonl|ndjson)(\.gz)?$/i.test(file);
  const rows = isJson ? readJson(opened.text) : readCsv(kind, opened.text, delimiter);
  for await (const batch of batches(rows, kind.batchSize)) {
    const sound = batch.filter((row) => {
      const issues =
        row.problem === undefined
          ? issuesOf(row.body)
          : [{ path: '', code: 'invalid', message: row.problem }];
      if (issues.length > 0) fail(row, issues);
      return issues.length === 0;
    });
    const outcomes = sound.length === 0 ? [] : await kind.write(importing, sound);
    for (const [index, outcome] of outcomes.entries()) count(sound[index]!, outcome, summary, fail);
    progress.update(opened.bytesRead(), summary);
  }
  return summary;
}

function count(
  row: Row,
  outcome: Outcome,
  summary: Summary,
  fail: (row: Row, issues: readonly Issue[]) => void,
): void {
  if (!(outcome instanceof ApiError)) {
    summary[outcome] += 1;
    return;
  }
  const { code, message, issues } = outcome;
  if (code === 'unavailable') {
    throw new StartError(
      `${message}, at line ${row.line}; what is before it is done, and the same command goes on from there`,
    );
  }
  fail(row, issues ?? [{ path: '', code, message }]);
}

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
