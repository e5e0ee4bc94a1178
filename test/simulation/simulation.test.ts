// A short simulation: about sixty commands a run by several clients at once, audited after every round.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../src/database/connect.ts';
import { commandsByName } from './commands.ts';
import { failureText } from './report.ts';
import { startService } from './service.ts';
import { shrink, withParts } from './shrink.ts';
import { roundsOfSeed, simulate } from './simulate.ts';

/** What is found at random belongs into the long simulation; this one does the same every time, as far as it can. */
const seed = 20_261;

describe('the simulation', () => {
  it('finds nothing wrong with stock, orders, purchasing and events, whatever its clients do at once', async (test) => {
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

  it('finds a service that forgets to take what has come off what is on its way, and shrinks it to one receipt', async () => {
    const service = await startService();
    try {
      // Broken where nothing of it shows in the service's own statements.
      await service.inside!.database.query(sql`
        create function keep_incoming() returns trigger language plpgsql as $$
        begin
          if new.on_hand_quantity > old.on_hand_quantity then new.incoming_quantity := old.incoming_quantity; end if;
          return new;
        end $$`);
      await service.inside!.database.query(sql`
        create trigger keep_incoming before update on inventory_levels
        for each row execute function keep_incoming()`);
      const { failure } = await simulate(service, {
        seed,
        runs: 20,
        until: new Date(Date.now() + 100_000),
        rounds: 20,
        path: undefined,
        shrinkMs: 120_000,
      });
      assert.ok(failure !== undefined, 'nothing was found');
      assert.match(failure.message, /waits for \d+ units; purchase orders owe it/);
      assert.match(failure.path, /^\d+\.\d+$/, failure.message);
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
    const rounds = roundsOfSeed(seed, 60);
    const steps = rounds.flatMap((round) => round.steps);
    assert.ok(steps.length > 40);
    const needed = [steps[3]!, steps.at(-5)!];
    const fails = async (fewer: typeof rounds) => {
      const left = fewer.flatMap((round) => round.steps);
      return needed.every((step) => left.includes(step));
    };
    const parts = await shrink(rounds, rounds.length, new Date(Date.now() + 10_000), fails);
    const shrunk = withParts(rounds, parts).flatMap((round) => round.steps);
    assert.deepEqual(shrunk, needed);
  });
});
