// Work that no request waits for, run in turns by every process that is to do it; each task tolerates company.
import type { FastifyBaseLogger } from 'fastify';
import { fillMarked } from '../allocation/fill-marked.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { expireDue } from '../inventory/expire-due.ts';
import { makeSecrets } from '../secrets.ts';
import { startDispatch } from './dispatch.ts';
import { startJobs } from './jobs.ts';

const tasks = [
  { name: 'fill backorders', everyMs: 1_000, run: fillMarked },
  { name: 'expire lots', everyMs: 20_000, run: expireDue },
];

export interface Background {
  database: Database;
  config: Pick<Config, 'secret' | 'webhookAllowPrivate' | 'eventRetentionDays'> & { databaseUrl: string };
  log: Pick<FastifyBaseLogger, 'error'>;
}

export function startBackground({ database, config, log }: Background): { stop(): Promise<void> } {
  const { secret, webhookAllowPrivate: allowPrivate } = config;
  const jobs = startJobs({ database, config, log });
  const dispatch = startDispatch({ database, secrets: makeSecrets(secret), allowPrivate, log });
  let stopped = false;
  const running = new Set<Promise<unknown>>();
  const timers = tasks.map(({ name, everyMs, run }) => {
    let busy = false;
    const timer = setInterval(() => {
      if (busy || stopped) return;
      busy = true;
      const turn = run(database)
        .catch((error: unknown) => log.error({ err: error, task: name }, 'background task failed'))
        .finally(() => {
          busy = false;
          running.delete(turn);
        });
      running.add(turn);
    }, everyMs);
    return timer.unref();
  });
  return {
    async stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all([jobs.stop(), dispatch.stop(), ...running]);
    },
  };
}
