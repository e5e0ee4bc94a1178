// The command line of the benchmark.
import { parseArgs } from 'node:util';
import { scenarios } from './scenarios.ts';

export interface Options {
  /** As it was given: `10k`. */
  size: string;
  orders: number;
  /** A service that is up already. */
  remote: { url: string; key: string } | undefined;
  only: string[];
  seconds: number;
  rounds: number;
  concurrency: number;
  write: boolean;
  /** Each request once, to see that it is answered as it should be: nothing is measured. */
  check: boolean;
  /** A folder of its own where the data set stays, and is found again. */
  data: string | undefined;
}

export const usage = `Usage: npm run bench -- [--size 10k] [--only <scenario>] [--seconds 5] [--rounds 3] [--concurrency 8]
  [--write] [--check] [--data <folder>] [--url <base address> --key <key>]

  --size         orders in the data set: 10k, 1m, 10m, or any number
  --only         one scenario; may be given more than once: ${scenarios.map(({ name }) => name).join(', ')}
  --seconds      length of each measurement
  --rounds       how often the service and its floors are measured in turn; the medians count
  --concurrency  requests at a time
  --write        keep the result in docs/performance.md
  --check        ask each request once and replay its statements once, measuring nothing
  --data         where the data set stays, and is found by the next run; without it, it is made anew and thrown away
  --url, --key   measure a service that is up already, /api/v1 included; without a SQL floor, and only the
                 scenarios that need no records of their own`;

const units: Record<string, number> = { '': 1, k: 1_000, m: 1_000_000 };

/** @throws with a sentence about what is wrong */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: 'string', default: '10k' },
      only: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      concurrency: { type: 'string', default: '8' },
      write: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      data: { type: 'string' },
      url: { type: 'string' },
      key: { type: 'string' },
    },
  });
  const [, amount, unit] = /^(\d{1,9})([km]?)$/.exec(values.size) ?? [];
  if (amount === undefined) throw new Error(`--size takes 10k, 1m, 10m or a number, not ${values.size}`);
  if ((values.url === undefined) !== (values.key === undefined))
    throw new Error('--url and --key go together');
  for (const name of values.only) {
    if (!scenarios.some((scenario) => scenario.name === name)) throw new Error(`--only: no scenario ${name}`);
  }
  return {
    size: values.size,
    orders: Math.max(100, Number(amount) * units[unit!]!),
    remote: values.url === undefined ? undefined : { url: values.url.replace(/\/$/, ''), key: values.key! },
    only: values.only,
    seconds: positive('seconds', values.seconds),
    rounds: positive('rounds', values.rounds),
    concurrency: positive('concurrency', values.concurrency),
    write: values.write,
    check: values.check,
    data: values.data,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} takes a number above 0, not ${text}`);
  return value;
}
