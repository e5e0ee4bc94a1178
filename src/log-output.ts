// Where log lines go: standard output, which may have no room for them without the service being any worse for it.
import { destination } from 'pino';
import * as limits from './limits.ts';

/** Lines that cannot be written are held up to a bound and then left out. */
export function logOutput(options: { sync: boolean; minLength?: number; periodicFlush?: number }) {
  const output = destination({ dest: 1, maxLength: limits.logBytesHeld, ...options });
  let failing = false;
  // A disk that is full: without a listener the process would end.
  output.on('error', () => {
    failing = true;
  });
  output.on('write', () => {
    failing = false;
  });
  // What is held is written at the end, and as long as that fails tried again: the process would never end.
  process.prependListener('exit', () => {
    if (failing) output.destroy();
  });
  return output;
}
