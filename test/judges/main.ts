// `npm run judges`: what others' tools say of openapi.json, and of the service behind a proxy that validates.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { type Line, startPrism } from './prism.ts';
import { redoclyProblems } from './redocly.ts';

const spectral = '@stoplight/spectral-cli@6.16.3';
const root = fileURLToPath(new URL('../../', import.meta.url));
const document = join(root, 'openapi.json');

const program = new Command('judges')
  .description(
    "Redocly's and Spectral's recommended rules, and the tests behind Prism's validating proxy. Spectral and Prism " +
      'are fetched by npx, for they are too large to be installed for everybody.',
  )
  .option('--no-prism', 'rules only')
  .option('--no-rules', 'Prism only')
  .argument('[tests...]', 'test files that Prism stands in front of', [
    'src/**/*.test.ts',
    'test/{contract,docs,isolation,lists,platform}/**/*.test.ts',
    'test/*.test.ts',
  ]);
const { prism, rules } = program.parse().opts<{ prism: boolean; rules: boolean }>();

function tell(judge: string, problems: string[]): void {
  console.log(`${judge}: ${problems.length === 0 ? 'no error, no warning' : `${problems.length} problems`}`);
  for (const problem of problems.slice(0, 50)) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

/** Lines that Spectral prints; errors and warnings. */
async function spectralProblems(folder: string): Promise<string[]> {
  const rules = join(folder, 'spectral.json');
  await writeFile(rules, JSON.stringify({ extends: ['spectral:oas'] }));
  const asked = ['--yes', '--ignore-scripts', '-p', spectral, 'spectral', 'lint', document];
  const how = ['--ruleset', rules, '--format', 'text', '--fail-severity', 'warn'];
  return new Promise((resolve, reject) => {
    execFile('npx', [...asked, ...how], { maxBuffer: 100_000_000 }, (error, output) => {
      if (error === null) resolve([]);
      else if (/ (error|warning) /.test(output)) resolve(output.trim().split('\n'));
      else reject(error);
    });
  });
}

async function askPrism(folder: string, tests: string[]): Promise<void> {
  const log = join(folder, 'requests');
  await writeFile(log, '');
  const { url, ended, stop } = await startPrism();
  try {
    const variables = { ...process.env, WAYBILL_PRISM: url, WAYBILL_PRISM_LOG: log };
    const asked = ['--test', '--test-concurrency=2', '--test-reporter=dot', ...tests];
    const child = spawn(process.execPath, asked, { cwd: root, env: variables, stdio: 'inherit' });
    const code = await Promise.race([
      new Promise((resolve) => child.on('exit', resolve)),
      ended.then(() => child.kill('SIGINT') && 'the end of Prism'),
    ]);
    const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
    const requests = lines.map((line) => JSON.parse(line) as Line);
    const violations = requests.flatMap(({ file, method, path, status, violations }) =>
      violations.map((text) => `${file}: ${method} ${path.slice(0, 200)} (${status}): ${text}`),
    );
    const cut = requests.filter((line) => line.cut).length;
    console.log(`\nthe tests behind Prism ended with ${code}; ${requests.length} requests went through it`);
    if (cut > 0) console.log(`of ${cut} Prism had more to say than it can`);
    tell('Prism', [...new Set(violations)]);
    if (requests.length === 0 || code !== 0) process.exitCode = 1;
  } finally {
    stop();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'waybill-judges-'));
try {
  if (rules) {
    tell('Redocly', await redoclyProblems(document));
    tell('Spectral', await spectralProblems(folder));
  }
  if (prism) await askPrism(folder, program.processedArgs[0]);
} finally {
  await rm(folder, { recursive: true });
}
