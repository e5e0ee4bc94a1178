// What each step of a replay found done already (by an earlier run), and what it did itself.
import { RequestFailed } from './client.ts';
import { grouped } from './measures.ts';
import type { Progress } from './progress.ts';

export interface Tally {
  done: number;
  already: number;
}

export function addTallies(one: Tally, other: Tally): Tally {
  return { done: one.done + other.done, already: one.already + other.already };
}

export function count(tally: Tally, made: boolean, progress: Progress): void {
  if (made) tally.done += 1;
  else tally.already += 1;
  progress.tick();
}

export function tallyText(name: string, { done, already }: Tally): string {
  return `${grouped(done)} ${name} (${grouped(already)} were there)`;
}

/** False where the write was done before: by this key, or so long ago that only the record itself tells. */
export async function unlessThere(
  code: string,
  write: () => Promise<{ replayed: boolean }>,
): Promise<boolean> {
  try {
    const { replayed } = await write();
    return !replayed;
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 409 && error.code === code) return false;
    throw error;
  }
}
