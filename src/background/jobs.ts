// Scheduled work, on pg-boss: each job at its times, in one of the processes that do background work, tried again on failure.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { PgBoss } from 'pg-boss';
import type { Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { purgeEvents } from '../events/purge-events.ts';
import { purgeIdempotencyKeys } from '../http/idempotency.ts';
import * as limits from '../limits.ts';
import { purgeDeliveries } from '../webhooks/delivery-queries.ts';

export interface Jobs {
  database: Database;
  config: Pick<Config, 'eventRetentionDays'> & { databaseUrl: string };
  log: Pick<FastifyBaseLogger, 'error'>;
}

interface Job {
  name: string;
  /** When, in UTC. */
  cron: string;
  run: (database: Database, config: Jobs['config']) => Promise<unknown>;
}

const jobs: Job[] = [
  { name: 'purge-idempotency-keys', cron: '*/10 * * * *', run: purgeIdempotencyKeys },
  {
    name: 'purge-events',
    cron: '*/10 * * * *',
    run: (database, { eventRetentionDays }) => purgeEvents(database, eventRetentionDays),
  },
  {
    name: 'purge-webhook-deliveries',
    cron: '5 * * * *',
    run: (database, { eventRetentionDays }) => purgeDeliveries(database, eventRetentionDays),
  },
];

/** Its tables hold nothing that matters: what a job does follows from the service's own. */
const schema = 'jobs';

export function startJobs({ database, config, log }: Jobs): { stop(): Promise<void> } {
  const failed = (error: unknown) => log.error({ err: error, task: 'jobs' }, 'background task failed');
  const ending = new AbortController();
  let boss: PgBoss | undefined;

  /** A database that is away at the start is asked again. */
  async function start(): Promise<void> {
    while (!ending.signal.aborted) {
      boss = makeBoss(config.databaseUrl);
      boss.on('error', failed);
      try {
        return await register(boss, (job) => job.run(database, config));
      } catch (error) {
        failed(error);
        await boss.stop({ graceful: false }).catch(() => {});
        await sleep(limits.jobPollSeconds * 1000, undefined, { signal: ending.signal }).catch(() => {});
      }
    }
  }
  const starting = start();
  return {
    async stop() {
      ending.abort();
      await starting;
      await boss?.stop({ graceful: true, timeout: limits.drainMs }).catch(failed);
    },
  };
}

function makeBoss(connectionString: string): PgBoss {
  return new PgBoss({
    connectionString,
    application_name: 'waybill-jobs',
    schema,
    max: limits.jobConnections,
  });
}

async function register(boss: PgBoss, run: (job: Job) => Promise<unknown>): Promise<void> {
  await boss.start();
  for (const job of jobs) {
    await boss.createQueue(job.name, { policy: 'exclusive', retryLimit: 3, retryBackoff: true });
    await boss.schedule(job.name, job.cron);
    await boss.work(job.name, { pollingIntervalSeconds: limits.jobPollSeconds }, async () => {
      await run(job);
    });
  }
}
