// The way of an event from its commit to its receivers: numbered, turned into deliveries, delivered; without end, by every
// process that does background work.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../database/connect.ts';
import { findUnsequenced, sequenceEvents } from '../events/sequence.ts';
import * as limits from '../limits.ts';
import type { Secrets } from '../secrets.ts';
import { deliverDue } from '../webhooks/deliver.ts';
import { findDueEndpoints } from '../webhooks/due-queries.ts';
import { fanOut, findBehind } from '../webhooks/fan-out.ts';
import { makeSender } from '../webhooks/send.ts';

export interface Dispatching {
  database: Database;
  secrets: Secrets;
  allowPrivate: boolean;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/** A database that is away is asked again after this. */
const pauseMs = 1_000;

export function startDispatch(dispatching: Dispatching): { stop(): Promise<void> } {
  const ending = new AbortController();
  const hint = makeHint();
  const loops = [
    numberAndFanOut(dispatching, ending.signal, hint),
    deliver(dispatching, ending.signal, hint),
  ];
  return {
    async stop() {
      ending.abort();
      hint.give();
      await Promise.all(loops);
    },
  };
}

/** Lets one loop wait for what another has done; what comes while nobody waits is kept. */
function makeHint() {
  let given = Promise.withResolvers<void>();
  return {
    give: () => given.resolve(),
    async wait(ms: number): Promise<void> {
      await Promise.race([given.promise, sleep(ms)]);
      given = Promise.withResolvers<void>();
    },
  };
}
type Hint = ReturnType<typeof makeHint>;

async function numberAndFanOut(
  { database, log }: Dispatching,
  ending: AbortSignal,
  hint: Hint,
): Promise<void> {
  while (!ending.aborted) {
    try {
      const waiting = await findUnsequenced(database);
      let numbered = 0;
      await each(waiting, async (id) => {
        numbered += await sequenceEvents(database, id);
      });
      const behind = await findBehind(database);
      let made = 0;
      await each(behind, async (id) => {
        made += await fanOut(database, id);
      });
      if (made > 0) hint.give();
      if (numbered === 0) await pause(limits.eventPollMs, ending);
    } catch (error) {
      log.error({ err: error, task: 'number events' }, 'background task failed');
      await pause(pauseMs, ending);
    }
  }
}

async function each(ids: string[], work: (id: string) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < ids.length; at += limits.organizationsAtOnce) {
    await Promise.all(ids.slice(at, at + limits.organizationsAtOnce).map(work));
  }
}

/** One endpoint's deliveries run beside those of every other, so that a slow one holds up none but itself. */
async function deliver(dispatching: Dispatching, ending: AbortSignal, hint: Hint): Promise<void> {
  const { database, secrets, allowPrivate, log } = dispatching;
  const sender = makeSender({ allowPrivate });
  const running = new Map<string, Promise<unknown>>();
  const stopped = () => ending.aborted;
  while (!ending.aborted) {
    try {
      for (const endpoint of await findDueEndpoints(database, new Date())) {
        if (running.has(endpoint.id) || running.size >= limits.webhookEndpointsAtOnce) continue;
        const work = deliverDue({ database, secrets, sender }, endpoint, stopped)
          .catch((error: unknown) =>
            log.error(
              { err: error, task: 'deliver webhooks', endpoint: endpoint.id },
              'background task failed',
            ),
          )
          .finally(() => {
            running.delete(endpoint.id);
            // What came while it was finishing must not wait for the next look.
            hint.give();
          });
        running.set(endpoint.id, work);
      }
      await hint.wait(limits.webhookPollMs);
    } catch (error) {
      log.error({ err: error, task: 'deliver webhooks' }, 'background task failed');
      await pause(pauseMs, ending);
    }
  }
  await Promise.all(running.values());
  await sender.close();
}

async function pause(ms: number, ending: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: ending }).catch(() => {});
}
