// Shows how far an import is, on stderr: a bar on a terminal, otherwise a line now and then.
import { MultiBar } from 'cli-progress';
import type { Summary } from './import-file.ts';

export interface Progress {
  /** `size` is that of the file in bytes. */
  start(size: number): void;
  update(bytesRead: number, summary: Summary): void;
  /** A line of its own: what is wrong with a record. */
  say(text: string): void;
  stop(): void;
}

const lineEveryMs = 10_000;

export function makeProgress(): Progress {
  return process.stderr.isTTY ? barProgress() : lineProgress();
}

function barProgress(): Progress {
  const bars = new MultiBar({
    format: '{bar} {percentage}% {made} made, {there} there already, {failed} failed, {duration_formatted}',
    stream: process.stderr,
  });
  const none = { made: 0, there: 0, failed: 0 };
  const bar = bars.create(1, 0, none);
  let stopped = false;
  return {
    start: (size) => bar.setTotal(Math.max(size, 1)),
    update: (bytesRead, summary) => bar.update(bytesRead, summary),
    say: (text) => bars.log(`${text}\n`),
    stop() {
      if (stopped) return;
      stopped = true;
      // Stopping alone would leave out what was said since the last redraw.
      bars.update();
      bars.stop();
    },
  };
}

function lineProgress(): Progress {
  let total = 1;
  let spokenAt = performance.now();
  return {
    start(size) {
      total = Math.max(size, 1);
    },
    update(bytesRead, { made, there, failed }) {
      if (performance.now() - spokenAt < lineEveryMs) return;
      spokenAt = performance.now();
      const percent = Math.floor((100 * bytesRead) / total);
      process.stderr.write(`${percent}%: ${made} made, ${there} there already, ${failed} failed\n`);
    },
    say: (text) => process.stderr.write(`${text}\n`),
    stop() {},
  };
}
