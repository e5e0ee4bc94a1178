// The SQL floor: the statements of real requests, straight through the driver, from a process of its own.
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { connect, type Database } from '../src/database/connect.ts';
import { basePath } from '../src/http/openapi.ts';
import type { Catalogue } from './catalogue.ts';
import { offer } from './part.ts';
import { type Measured, measure } from './rate.ts';
import { scenarioNamed } from './scenarios.ts';
import { recordedSettings } from './service.ts';
import { type Replay, record, replayOf, type Tape } from './tape.ts';

export interface Recording {
  databaseUrl: string;
  key: string;
  scenario: string;
  catalogue: Catalogue;
  /** How many different requests. */
  count: number;
}

/** What one request sends, in numbers. */
export interface Recorded {
  statements: number;
  /** Times that it waits for the database. */
  waits: number;
}

export type FloorFunctions = {
  record(recording: Recording): Promise<Recorded>;
  run(options: { concurrency: number; seconds: number }): Promise<Measured>;
};

let database: Database | undefined;
let app: FastifyInstance | undefined;
let replays: Replay[] = [];

async function recordScenario(recording: Recording): Promise<Recorded> {
  database ??= connect(recording.databaseUrl, { applicationName: 'waybill-bench-floor' });
  const config = readConfig(recordedSettings);
  app ??= await buildApp({ database, config });
  const { request } = scenarioNamed(recording.scenario);
  const begun = new Date();
  let tape: Tape = [];
  replays = [];
  for (let n = 0; n < recording.count; n += 1) {
    const { method, path, headers, body } = request(n, recording.catalogue);
    tape = await record(async () => {
      const answer = await app!.inject({
        method,
        url: basePath + path,
        headers: { ...headers, authorization: `Bearer ${recording.key}` },
        ...(body === undefined ? {} : { payload: body }),
      });
      if (answer.statusCode !== 200) throw new Error(`${recording.scenario}: ${answer.body}`);
    });
    replays.push(replayOf(tape, begun));
  }
  return { statements: tape.flat().length, waits: tape.length };
}

offer(
  {
    record: recordScenario,
    run: ({ concurrency, seconds }: Parameters<FloorFunctions['run']>[0]) =>
      measure(concurrency, seconds, (n) => replays[n % replays.length]!(database!.pool)),
  } satisfies FloorFunctions,
  async () => {
    await app?.close();
    await database?.close();
  },
);
