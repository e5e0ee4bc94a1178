// Everything that the simulated clients do, and how often. A new feature adds its list here.
import fc from 'fast-check';
import type { Command } from './command.ts';
import { fulfillingCommands } from './commands-fulfilling.ts';
import { orderCommands } from './commands-orders.ts';
import { purchasingCommands } from './commands-purchasing.ts';
import { receivingCommands } from './commands-receiving.ts';
import { returnCommands } from './commands-returns.ts';
import { settingCommands } from './commands-settings.ts';
import { stockCommands } from './commands-stock.ts';

const commands: readonly Command[] = [
  ...orderCommands,
  ...fulfillingCommands,
  ...stockCommands,
  ...settingCommands,
  ...returnCommands,
  ...purchasingCommands,
  ...receivingCommands,
];

export const commandsByName: ReadonlyMap<string, Command> = new Map(commands.map((one) => [one.name, one]));

/** How a client sends a command: once, or under an Idempotency-Key a second time, at once or afterwards. */
const sendings = ['once', 'again', 'twice'] as const;

/** One command as plain data. */
export interface Step {
  name: string;
  data: unknown;
  sending: (typeof sendings)[number];
}

/** Commands that are sent at the same time, and whether background work is done after them. */
export interface Round {
  steps: Step[];
  settle: boolean;
}

const sending = fc.oneof(
  { weight: 8, arbitrary: fc.constant(sendings[0]) },
  { weight: 1, arbitrary: fc.constant(sendings[1]) },
  { weight: 1, arbitrary: fc.constant(sendings[2]) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  ...commands.map(({ name, weight, data }) => ({
    weight,
    arbitrary: fc.record({ name: fc.constant(name), data, sending }),
  })),
);

/** The same wish of two or three clients at once, as of a line that each of them receives or an order that each cancels. */
const rivals = fc
  .record({ step, clients: fc.integer({ min: 2, max: 3 }) })
  .map(({ step: one, clients }) => Array.from({ length: clients }, () => one));

const steps = fc.oneof(
  { weight: 7, arbitrary: fc.array(step, { minLength: 1, maxLength: 5, size: 'max' }) },
  { weight: 1, arbitrary: rivals },
);

/** Rounds of one to five commands; twice as many rounds at most as there are on average. */
export function rounds(average: number): fc.Arbitrary<Round[]> {
  const round = fc.record({
    steps,
    settle: fc.integer({ min: 0, max: 3 }).map((chance) => chance === 3),
  });
  return fc.array(round, { minLength: 1, maxLength: average * 2 - 1, size: 'max' });
}
