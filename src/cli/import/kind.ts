// What one kind of import is: the body of each record, how a table spreads it over rows, and how a batch is written.
import type { Database } from '../../database/connect.ts';
import type { ApiError } from '../../errors.ts';
import type { TSchema } from '../../http/schemas.ts';

/** What became of a record: `there` was made before, by this file or otherwise, and is left as it is. */
export type Outcome = 'made' | 'there' | ApiError;

export interface Importing {
  database: Database;
  organizationId: string;
  /** Without its folder. */
  fileName: string;
  dryRun: boolean;
  /** Applies changes of stock that this file made before once more. */
  again: boolean;
}

/** One record of the file. */
export interface Row {
  /** Where it begins. */
  line: number;
  body: unknown;
  /** What is wrong with its text, so that there is no body to check. */
  problem?: string;
  /** Where a part of the body stands in the file, and what it is called there. */
  placeOf(path: string): { line: number; field: string };
}

export interface Kind {
  schema: TSchema;
  /** A list of the body with one item per row of a table; the rows of one record follow each other. */
  spread?: { list: string; sameBy: readonly string[] };
  /** Short names of columns -> the fields they stand for. */
  columns?: Readonly<Record<string, string>>;
  /** Records that are looked up and written together. */
  batchSize: number;
  /** One outcome per row, in order. Every body satisfies the schema. */
  write(importing: Importing, rows: readonly Row[]): Promise<Outcome[]>;
}
