// Says what PostgreSQL does for each read: `npm run explain -- --size 1m`. 1 where one that should not grows with the table.
import { readOptions } from './options.ts';
import { plansOf, unboundedReads } from './plans.ts';
import { circumstances, markdownTable } from './report.ts';
import { openTarget } from './target.ts';

const told = (progress: string) => console.error(`bench: ${progress}`);
const options = readOptions(process.argv.slice(2));
const target = await openTarget(options, told);
try {
  const { databaseUrl, postgres } = target;
  if (databaseUrl === undefined) throw new Error('--url cannot be explained');
  const { reads, pairs } = await plansOf(databaseUrl, target, options.only);
  const rows = [...reads, ...pairs].map(({ name, cost, rowsRead, rowsSorted, rowsWalked, milliseconds }) => [
    name,
    ...[rowsRead, rowsSorted, rowsWalked].map((count) => Math.round(count).toLocaleString('en-US')),
    milliseconds.toFixed(1),
    cost ?? '',
  ]);
  console.log(circumstances(options, postgres));
  console.log(markdownTable(['Read', 'Rows read', 'sorted', 'walked through', 'ms', 'Grows with'], rows));
  const problems = unboundedReads([...reads, ...pairs]);
  for (const problem of problems) told(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await target.stop();
}
