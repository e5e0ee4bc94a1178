// Wakes readers that wait for new events: one statement for all that wait in this process, and no connection held.
import type { Database } from '../database/connect.ts';
import * as limits from '../limits.ts';
import { findLastSequences } from './queries.ts';

export interface Watch {
  /** Resolves once the organisation has events behind `last`, at `until` (of `performance.now()`) at the latest. */
  wait(organizationId: string, last: number, until: number): Promise<void>;
  /** Wakes everybody; nobody waits any more. */
  stop(): void;
}

interface Waiter {
  organizationId: string;
  last: number;
  until: number;
  wake: () => void;
}

export function watchEvents(database: Database): Watch {
  const waiting = new Set<Waiter>();
  let stopped = false;
  let looking = false;

  const wake = (waiter: Waiter) => {
    waiting.delete(waiter);
    waiter.wake();
  };

  const look = async () => {
    looking = true;
    while (waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, limits.eventPollMs));
      const ids = [...new Set([...waiting].map(({ organizationId }) => organizationId))];
      const last = await findLastSequences(database, ids).catch(() => new Map<string, number>());
      for (const waiter of [...waiting]) {
        const news = (last.get(waiter.organizationId) ?? 0) > waiter.last;
        if (news || performance.now() >= waiter.until) wake(waiter);
      }
    }
    looking = false;
  };

  return {
    wait: (organizationId, last, until) =>
      new Promise((resolve) => {
        if (stopped || performance.now() >= until) return resolve();
        waiting.add({ organizationId, last, until, wake: resolve });
        if (!looking) void look();
      }),
    stop() {
      stopped = true;
      for (const waiter of [...waiting]) wake(waiter);
    },
  };
}
