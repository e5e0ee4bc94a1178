// Redocly's recommended rules on openapi.json; every rule is on, and warnings count as errors do.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/** What the rules find in a document, as lines of text. */
export function redoclyProblems(document: string): Promise<string[]> {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const asked = ['lint', document, '--extends', 'recommended', '--format', 'json', '--max-problems', '1000'];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, ...asked],
      { env: { ...process.env, ...quiet }, maxBuffer: 100_000_000 },
      (error, output, errors) => {
        try {
          const { problems } = JSON.parse(output) as { problems: Problem[] };
          resolve(problems.map(textOf));
        } catch {
          reject(error ?? new Error(`redocly did not answer JSON: ${output}${errors}`));
        }
      },
    );
  });
}

interface Problem {
  ruleId: string;
  severity: string;
  message: string;
  location: { pointer?: string }[];
}

function textOf({ ruleId, severity, message, location }: Problem): string {
  return `${severity} ${ruleId} at ${location[0]?.pointer}: ${message}`;
}
