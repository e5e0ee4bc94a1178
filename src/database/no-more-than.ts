// Tells PostgreSQL how few rows an array parameter holds.
import { type Sql, sql } from './connect.ts';

/**
 * A limit that cuts nothing off. An array whose length PostgreSQL does not know counts as ten rows: for fewer it
 * would plan the statement anew each time (0.1 ms for storing three levels), and for many it might plan badly.
 */
export function noMoreThan(count: number): Sql {
  const bound = bounds.find((most) => most >= count);
  return bound === undefined ? sql`` : sql`limit ${sql.lit(bound)}`;
}

/** Few, for each makes a statement of its own. */
const bounds = [4, 16, 128, 2_048];
