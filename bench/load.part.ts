// The generator: sends a scenario's requests to an address, as fast as they are answered.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Catalogue } from './catalogue.ts';
import { type Connection, openConnection, requestText } from './connection.ts';
import { offer } from './part.ts';
import { type Measured, measure } from './rate.ts';
import { scenarioNamed } from './scenarios.ts';

export interface Load {
  url: string;
  key: string;
  /** Their requests in turn. */
  scenarios: string[];
  catalogue: Catalogue;
  concurrency: number;
  seconds: number;
  /** Whether the service may say that it has too much to do: then it is asked again a second later. */
  refusable?: boolean;
}

export type LoadFunctions = {
  run(load: Load): Promise<Measured>;
};

/** Requests so far, by address: those to the bare server use up none of the service's. */
const sent = new Map<string, number>();

async function run(load: Load): Promise<Measured> {
  const { url, key, scenarios, catalogue, concurrency, seconds, refusable = false } = load;
  const mixed = scenarios.map(scenarioNamed);
  const unchecked = new Set(mixed);
  const base = new URL(url);
  const connections: Connection[] = [];
  for (let lane = 0; lane < concurrency; lane += 1) connections.push(await openConnection(base));
  try {
    return await measure(concurrency, seconds, async (_, lane) => {
      const n = sent.get(url) ?? 0;
      sent.set(url, n + 1);
      const scenario = mixed[n % mixed.length]!;
      const request = requestText(base, key, scenario.request(n, catalogue));
      const { status, body } = await connections[lane]!.send(request);
      if (status === 503 && refusable) return sleep(1_000);
      if (status !== 200) throw new Error(`${scenario.name} was answered ${status}: ${body.toString()}`);
      if (unchecked.delete(scenario)) scenario.check(JSON.parse(body.toString()));
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}

offer({ run } satisfies LoadFunctions);
