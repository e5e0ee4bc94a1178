// Stopping a process in order: the first signal asks, a second one insists.
import cluster from 'node:cluster';

/** One Ctrl-C comes twice under npm: from the terminal and passed on by npm. */
const sameSignalMs = 250;

/**
 * Calls `stop` at the first signal to end; a later one ends the process at once. A worker is sent one by the terminal and
 * one by its primary, and ends at once when the primary is gone.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let firstAt: number | undefined;
  const handle = (signal: NodeJS.Signals) => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      stop(signal);
    } else if (cluster.isPrimary && performance.now() - firstAt > sameSignalMs) {
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, handle);
}
