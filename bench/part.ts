// Parts of a measurement that run in processes of their own, and are called like functions.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What a part offers: asynchronous functions of one argument. */
// biome-ignore lint/suspicious/noExplicitAny: each part says what its own take
export type Offered = Record<string, (argument: any) => Promise<unknown>>;

export interface Part<Functions extends Offered> {
  call<Name extends keyof Functions & string>(
    name: Name,
    argument: Parameters<Functions[Name]>[0],
  ): Promise<Awaited<ReturnType<Functions[Name]>>>;
  stop(): Promise<void>;
}

interface Call {
  name: string;
  argument: unknown;
}

type Outcome = { value: unknown } | { failure: string };

export function startPart<Functions extends Offered>(file: string): Part<Functions> {
  const child = fork(join(import.meta.dirname, file), [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    async call(name, argument) {
      child.send({ name, argument } satisfies Call);
      const outcome = await answerOf(child);
      if ('failure' in outcome) throw new Error(`${file}: ${outcome.failure}`);
      return outcome.value as never;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

/** One call runs at a time, so the next message is its answer. */
async function answerOf(child: ChildProcess): Promise<Outcome> {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('a part of the measurement ended before its time');
  });
  exit.catch(() => {});
  try {
    const [outcome] = (await Promise.race([once(child, 'message'), exit])) as [Outcome];
    return outcome;
  } finally {
    ended.abort();
  }
}

/** In the part itself: answers calls until the process that started it lets go. */
export function offer(functions: Offered, close: () => Promise<void> = async () => {}): void {
  process.on('message', async ({ name, argument }: Call) => {
    const outcome: Outcome = await functions[name]!(argument).then(
      (value) => ({ value }),
      (error: unknown) => ({
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    );
    process.send!(outcome);
  });
  process.once('disconnect', async () => {
    await close();
    process.exit(0);
  });
}
