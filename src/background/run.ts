// Work that no request waits for, run in turns by every process that is to do it; each task tolerates company.
import type { FastifyBaseLogger } from 'fastify';
import { fillMarked } from '../allocation/fill-marked.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { expireDue } from '../inventory/expire-due.ts';
import { resumeDueManifests } from '../manifests/resume-manifests.ts';
import { makeSecrets } from '../secrets.ts';
import type { ShippingAccess } from '../shipments/access.ts';
import { buyReturnLabels } from '../shipments/buy-return-labels.ts';
import { settleDue, trackDue } from '../shipments/watch-carriers.ts';
import { makeShipping, type ShippingOptions } from '../shipping.ts';
import { startDispatch } from './dispatch.ts';
import { startJobs } from './jobs.ts';

interface Task {
  name: string;
  everyMs: number;
  run: () => Promise<unknown>;
}

function tasksOf(database: Database, shipping: ShippingAccess): Task[] {
  return [
    { name: 'fill backorders', everyMs: 1_000, run: () => fillMarked(database) },
    { name: 'expire lots', everyMs: 20_000, run: () => expireDue(database) },
    { name: 'settle purchases', everyMs: 1_000, run: () => settleDue(shipping) },
    { name: 'close manifests', everyMs: 5_000, run: () => resumeDueManifests(shipping) },
    { name: 'buy return labels', everyMs: 1_000, run: () => buyReturnLabels(shipping) },
    { name: 'track parcels', everyMs: 1_000, run: () => trackDue(shipping) },
  ];
}

export interface Background {
  database: Database;
  config: Pick<Config, 'secret' | 'easypostUrl' | 'webhookAllowPrivate' | 'eventRetentionDays'> & {
    databaseUrl: string;
  };
  log: Pick<FastifyBaseLogger, 'error'>;
  shipping?: ShippingOptions;
}

export function startBackground(background: Background): { stop(): Promise<void> } {
  const { database, config, log } = background;
  const { secret, webhookAllowPrivate: allowPrivate } = config;
  const jobs = startJobs({ database, config, log });
  const dispatch = startDispatch({ database, secrets: makeSecrets(secret), allowPrivate, log });
  let stopped = false;
  const running = new Set<Promise<unknown>>();
  const tasks = tasksOf(database, makeShipping({ database, config, log, ...background.shipping }));
  const timers = tasks.map(({ name, everyMs, run }) => {
    let busy = false;
    const timer = setInterval(() => {
      if (busy || stopped) return;
      busy = true;
      const turn = run()
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
