// What `npm start` runs, for all that start the service as it does. In JavaScript: an older Node reads it too.
import { readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/** The variables that the start script sets, and what it gives to node, whatever folder that is run in. */
export function startCommand() {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const [before, after] = scripts.start.split(/\bexec node /);
  const env = Object.fromEntries(
    [...before.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
  const args = after.split(' ').map((/** @type {string} */ arg) => arg.replace('./', root.href));
  const flags = args.filter((/** @type {string} */ arg) => arg.startsWith('--'));
  return { env, flags };
}
