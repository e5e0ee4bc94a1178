// What a simulation says of itself in words.
import type { Progress, SimulationFailure } from './simulate.ts';

export function progressText({ seed, runs, rounds, counts }: Progress): string {
  return `${runs} runs, ${rounds} rounds, ${total(counts)} commands; last seed ${seed}`;
}

function total(counts: Progress['counts']): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** A line for each command: how often it was answered with what. */
export function countsText({ counts }: Progress): string {
  const lines = Map.groupBy(counts, ([key]) => key.slice(0, key.lastIndexOf(':')));
  return [...lines]
    .map(([name, outcomes]) => {
      const each = outcomes
        .toSorted(([, a], [, b]) => b - a)
        .map(([key, count]) => `${key.slice(name.length + 2)} ${count}`);
      return `  ${name.padEnd(32)} ${each.join(', ')}`;
    })
    .sort()
    .join('\n');
}

export function failureText({ seed, path, rounds, message }: SimulationFailure): string {
  const again = `npm run simulate -- --seed ${seed} --rounds ${rounds}`;
  return [message, `Again: ${again} --path ${path}`, `The whole run: ${again} --runs 1`].join('\n');
}
