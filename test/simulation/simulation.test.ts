// A short simulation: about sixty commands a run by several clients at once, audited after every round.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandsByName } from './commands.ts';
import { failureText } from './report.ts';
import { startService } from './service.ts';
import { shrink, withParts } from './shrink.ts';
import { roundsOfSeed, simulate } from './simulate.ts';

/** What is found at random belongs into the long simulation; this one does the same every time, as far as it can. */
const seed = 20_261;

describe('the simulation', () => {
  it('finds nothing wrong with stock, orders and events, whatever its clients do at once', async (test) => {
    const service = await startService();
    try {
      const { progress, failure } = await simulate(service, {
        seed,
        runs: 15,
        until: new Date(Date.now() + 25_000),
        rounds: 20,
        path: undefined,
        shrinkMs: 60_000,
      });
      if (failure !== undefined) assert.fail(failureText(failure));
      test.diagnostic(`${progress.runs} runs, ${progress.rounds} rounds`);
    } finally {
      await service.close();
    }
  });

  it('makes the same commands of the same seed, and others of another', () => {
    assert.deepEqual(roundsOfSeed(seed, 20), roundsOfSeed(seed, 20));
    assert.notDeepEqual(roundsOfSeed(seed, 20), roundsOfSeed(seed + 1, 20));
  });

  it('does everything that it can do, in a few hundred runs', () => {
    const done = new Set<string>();
    for (let run = 0; run < 300; run += 1) {
      for (const { steps } of roundsOfSeed(run, 20)) for (const { name } of steps) done.add(name);
    }
    assert.deepEqual(
      [...commandsByName.keys()].filter((name) => !done.has(name)),
      [],
    );
  });

  it('shrinks a failing run to the commands that it takes to fail', async () => {
    const rounds = roundsOfSeed(seed, 20);
    const steps = rounds.flatMap((round) => round.steps);
    const needed = [steps[3]!, steps[17]!];
    const fails = async (fewer: typeof rounds) => {
      const left = fewer.flatMap((round) => round.steps);
      return needed.every((step) => left.includes(step));
    };
    const parts = await shrink(rounds, rounds.length, new Date(Date.now() + 10_000), fails);
    const shrunk = withParts(rounds, parts).flatMap((round) => round.steps);
    assert.deepEqual(shrunk, needed);
  });
});
