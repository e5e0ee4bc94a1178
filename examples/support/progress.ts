// Shows how far a run is: a bar on a terminal, otherwise a line now and then. Writes to stderr, the report to stdout.
import { SingleBar } from 'cli-progress';

export interface Progress {
  start(what: string, total: number): void;
  tick(): void;
  stop(): void;
}

const LINE_EVERY_MS = 10_000;

export function createProgress(quiet: boolean): Progress {
  if (quiet) return { start() {}, tick() {}, stop() {} };
  return process.stderr.isTTY ? barProgress() : lineProgress();
}

function barProgress(): Progress {
  let bar: SingleBar | null = null;
  const stop = () => {
    bar?.stop();
    bar = null;
  };
  return {
    start(what, total) {
      stop();
      bar = new SingleBar({
        format: `${what.padEnd(14)} {bar} {value}/{total} {duration_formatted}`,
        stream: process.stderr,
      });
      bar.start(total, 0);
    },
    tick: () => bar?.increment(),
    stop,
  };
}

function lineProgress(): Progress {
  let what = '';
  let total = 0;
  let value = 0;
  let spokenAt = 0;
  const speak = () => {
    spokenAt = Date.now();
    if (what !== '') process.stderr.write(`${what}: ${value} of ${total}\n`);
  };
  return {
    start(nextWhat, nextTotal) {
      speak();
      what = nextWhat;
      total = nextTotal;
      value = 0;
    },
    tick() {
      value += 1;
      if (Date.now() - spokenAt > LINE_EVERY_MS) speak();
    },
    stop() {
      speak();
      what = '';
    },
  };
}
