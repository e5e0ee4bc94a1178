// Many runs, each from a seed of its own; one that fails is shrunk to the commands that it takes to fail.
import fc from 'fast-check';
import { type Round, rounds as roundsOf } from './commands.ts';
import { type Counts, Failure, runRounds } from './run.ts';
import type { Service } from './service.ts';
import { shrink, withParts } from './shrink.ts';

export interface Simulation {
  seed: number;
  /** Runs after which it ends. */
  runs: number;
  until: Date;
  /** Rounds of a run, on average. */
  rounds: number;
  /** Only these parts of the seed's run, as a failure prints them. */
  path: string | undefined;
  /** How long a failure is shrunk. */
  shrinkMs: number;
  tell?: (progress: Progress) => void;
}

export interface Progress {
  seed: number;
  runs: number;
  rounds: number;
  /** Commands by name and outcome. */
  counts: Counts;
}

export interface SimulationFailure {
  seed: number;
  rounds: number;
  path: string;
  /** What happened, and what is wrong. */
  message: string;
}

/** What happens at the same time does not happen twice alike: a failure that comes and goes is tried more often. */
const tries = 4;

export async function simulate(
  service: Service,
  simulation: Simulation,
): Promise<{ progress: Progress; failure: SimulationFailure | undefined }> {
  const { runs, until, path } = simulation;
  const progress: Progress = { seed: simulation.seed, runs: 0, rounds: 0, counts: new Map() };
  while (progress.runs < runs && new Date() < until) {
    progress.seed = (simulation.seed + progress.runs) | 0;
    const made = roundsOfSeed(progress.seed, simulation.rounds);
    const played = path === undefined ? made : withParts(made, path.split(','));
    const failure = await failureOf(service, played, progress.counts, path === undefined ? 1 : tries);
    progress.runs += 1;
    progress.rounds += played.length;
    simulation.tell?.(progress);
    if (failure === undefined) continue;
    return { progress, failure: await shrunk(service, simulation, progress.seed, played, failure) };
  }
  return { progress, failure: undefined };
}

/** The same seed makes the same commands, as long as the commands themselves are what they were. */
export function roundsOfSeed(seed: number, average: number): Round[] {
  // With its bias to small values many runs would be very short.
  const [rounds] = fc.sample(fc.noBias(roundsOf(average)), { seed, numRuns: 1 });
  return rounds!;
}

async function failureOf(
  service: Service,
  rounds: readonly Round[],
  counts: Counts,
  often: number,
): Promise<Failure | undefined> {
  for (let count = 1; count <= often; count += 1) {
    try {
      await runRounds(service, rounds, counts);
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  }
  return undefined;
}

async function shrunk(
  service: Service,
  simulation: Simulation,
  seed: number,
  rounds: readonly Round[],
  first: Failure,
): Promise<SimulationFailure> {
  const until = new Date(Date.now() + simulation.shrinkMs);
  let failure = first;
  let often = 1;
  const fails = async (fewer: readonly Round[]) => {
    const again = await failureOf(service, fewer, new Map(), often);
    if (again !== undefined) failure = again;
    return again !== undefined;
  };
  if (simulation.shrinkMs > 0 && !((await fails(rounds)) && (await fails(rounds)))) often = tries;
  const parts = await shrink(rounds, failure.round, until, fails);
  const path = simulation.path ?? parts.join(',');
  return { seed, rounds: simulation.rounds, path, message: failure.message };
}
