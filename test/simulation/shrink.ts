// Fewer commands that still fail: takes parts of a run away for as long as it fails without them.
import type { Round } from './commands.ts';

/** Names a part: `3.0` is the first command of the third round, `3.s` the background work after it. */
type Part = string;

function partsOf(rounds: readonly Round[]): Part[] {
  return rounds.flatMap(({ steps, settle }, index) => [
    ...steps.map((_, n) => `${index + 1}.${n}`),
    ...(settle ? [`${index + 1}.s`] : []),
  ]);
}

/** The run with these parts only; as data it is a run like any other. */
export function withParts(rounds: readonly Round[], parts: readonly Part[]): Round[] {
  const kept = new Set(parts);
  return rounds
    .map(({ steps, settle }, index) => ({
      steps: steps.filter((_, n) => kept.has(`${index + 1}.${n}`)),
      settle: settle && kept.has(`${index + 1}.s`),
    }))
    .filter(({ steps, settle }) => steps.length > 0 || settle);
}

/**
 * Takes away halves, quarters and so on down to single parts, until none can be missed or the time is up.
 * `endsAt` is the index of the round after which the run is known to have failed.
 */
export async function shrink(
  rounds: readonly Round[],
  endsAt: number,
  until: Date,
  fails: (rounds: Round[]) => Promise<boolean>,
): Promise<Part[]> {
  let parts = partsOf(rounds.slice(0, endsAt + 1));
  let size = Math.ceil(parts.length / 2);
  while (size >= 1) {
    let smaller = false;
    for (let start = parts.length - size; start > -size; start -= size) {
      if (new Date() > until) return parts;
      const rest = parts.filter((_, index) => index < start || index >= start + size);
      if (rest.length === 0 || rest.length === parts.length) continue;
      if (!(await fails(withParts(rounds, rest)))) continue;
      parts = rest;
      smaller = true;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (!smaller) break;
  }
  return parts;
}
