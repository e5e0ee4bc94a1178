// `npm run audit`: known vulnerabilities of what runs in production. Ends with 1 for one that is high or critical, with 0 where
// there is none, and with 0 and a plain word where the registry cannot be asked (with 2 under --strict).
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { judgeAudit } from './audit.ts';

const strict = process.argv.includes('--strict');
const { stdout, stderr } = await promisify(execFile)('npm', ['audit', '--omit=dev', '--json'], {
  maxBuffer: 64 * 1_048_576,
}).catch((error: { stdout?: string; stderr?: string; message: string }) => ({
  stdout: error.stdout ?? '',
  stderr: error.stderr ?? error.message,
}));
const outcome = judgeAudit(stdout);
if (outcome.kind === 'clean') {
  console.log(
    `audit: no high or critical vulnerability is known of the packages in use (${outcome.packages} in all)`,
  );
} else if (outcome.kind === 'found') {
  for (const finding of outcome.findings) console.error(`audit: ${finding}`);
  process.exitCode = 1;
} else {
  console.log(`audit: NOT ASKED, nothing is known either way: ${outcome.reason}`);
  if (stdout === '') console.error(stderr.trim());
  if (strict) process.exitCode = 2;
}
