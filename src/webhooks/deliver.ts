// Works off what is due of one endpoint. Its deliveries are the queue: a crash leaves leases that end by themselves.
import type { Database } from '../database/connect.ts';
import * as limits from '../limits.ts';
import type { Secrets } from '../secrets.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import {
  type Claimed,
  claimDue,
  type EndpointKey,
  findBodies,
  findTarget,
  type Outcome,
  storeFailingSince,
  storeOutcomes,
  type Target,
} from './due-queries.ts';
import { nextTry } from './schedule.ts';
import { openWebhookSecret, signatureHeaders } from './secret.ts';
import type { Answer, Sender } from './send.ts';

export interface Delivering {
  database: Database;
  secrets: Secrets;
  sender: Sender;
}

/** An event that has no number yet gets one within moments. */
const unnumberedMs = 100;

/** Tries what is due, a few at a time, until nothing is or `stopped` says so. Returns the number of tries. */
export async function deliverDue(
  delivering: Delivering,
  endpoint: EndpointKey,
  stopped: () => boolean = () => false,
): Promise<number> {
  let tries = 0;
  while (!stopped()) {
    const target = await findTarget(delivering.database, endpoint);
    if (target === undefined) return tries;
    const limit = target.failingSince === null ? limits.webhookTriesAtOnce : limits.webhookFailingTriesAtOnce;
    const claimed = await claimDue(delivering.database, endpoint, new Date(), limit);
    if (claimed.length === 0) return tries;
    tries += claimed.length;
    await tryAll(delivering, endpoint, target, claimed);
  }
  return tries;
}

async function tryAll(
  delivering: Delivering,
  endpoint: EndpointKey,
  target: Target,
  claimed: Claimed[],
): Promise<void> {
  const { database } = delivering;
  const bodies = await bodiesOf(database, claimed);
  const keys = signingSecrets(delivering.secrets, endpoint.id, target, new Date());
  const tried = await Promise.all(
    claimed.map((delivery) =>
      tryOnce(delivering.sender, target.url, keys, delivery, bodies.get(delivery.eventId)),
    ),
  );
  const now = new Date();
  const answers = tried.flatMap(({ answer }) => answer ?? []);
  await database.transaction(async (transaction) => {
    const verdict = judge(target, answers, now);
    if (verdict.failingSince !== target.failingSince) {
      await storeFailingSince(transaction, endpoint, verdict.failingSince);
    }
    await storeOutcomes(
      transaction,
      endpoint.organizationId,
      tried.map(({ outcome }) => outcome),
      now,
    );
    if (verdict.disable !== undefined) await disableEndpoint(transaction, endpoint, verdict.disable, now);
  });
}

async function bodiesOf(database: Database, claimed: Claimed[]): Promise<Map<string, string | null>> {
  const organizations = new Set(claimed.map(({ eventOrganizationId }) => eventOrganizationId));
  const found = await Promise.all(
    [...organizations].map((organizationId) => {
      const own = claimed.filter(({ eventOrganizationId }) => eventOrganizationId === organizationId);
      return findBodies(
        database,
        organizationId,
        own.map(({ eventId }) => eventId),
      );
    }),
  );
  return new Map(found.flatMap((bodies) => [...bodies]));
}

/** The present secret, and the one before while it is still valid. */
function signingSecrets(secrets: Secrets, endpointId: string, target: Target, now: Date): string[] {
  const { secret, previousSecret, previousSecretExpiresAt } = target;
  const overlaps =
    previousSecret !== null && previousSecretExpiresAt !== null && previousSecretExpiresAt > now;
  return [secret, ...(overlaps ? [previousSecret] : [])].map((sealed) =>
    openWebhookSecret(secrets, endpointId, sealed),
  );
}

async function tryOnce(
  sender: Sender,
  url: string,
  keys: string[],
  delivery: Claimed,
  body: string | null | undefined,
): Promise<{ outcome: Outcome; answer?: Answer }> {
  const { id, eventId, tries } = delivery;
  const at = new Date();
  if (body === undefined) {
    return { outcome: { id, status: 'failed', tries, nextAttemptAt: null, completedAt: at, attempt: null } };
  }
  if (body === null) {
    const nextAttemptAt = new Date(at.getTime() + unnumberedMs);
    return { outcome: { id, status: 'pending', tries, nextAttemptAt, completedAt: null, attempt: null } };
  }
  const signed = signatureHeaders(keys, eventId, at, body);
  const requestHeaders = { 'content-type': 'application/json', 'user-agent': 'Waybill', ...signed };
  const answer = await sender.post(url, requestHeaders, body);
  const now = new Date();
  const attempt = {
    attemptedAt: at.toISOString(),
    durationMs: now.getTime() - at.getTime(),
    url,
    requestHeaders,
    responseStatus: answer.status,
    responseBody: answer.body,
    error: answer.error,
  };
  const made = tries + 1;
  if (isSuccess(answer)) {
    const done = { status: 'succeeded' as const, nextAttemptAt: null, completedAt: now };
    return { outcome: { id, tries: made, attempt, ...done }, answer };
  }
  const next = nextTry(made, now);
  const after =
    next === undefined
      ? { status: 'failed' as const, nextAttemptAt: null, completedAt: now }
      : { status: 'pending' as const, nextAttemptAt: next, completedAt: null };
  return { outcome: { id, tries: made, attempt, ...after }, answer };
}

const isSuccess = ({ status }: Answer) => status !== null && status >= 200 && status < 300;

/** What a round of answers says of the endpoint. */
function judge(
  target: Target,
  answers: Answer[],
  now: Date,
): { failingSince: Date | null; disable?: 'gone' | 'failing' } {
  const { failingSince } = target;
  if (answers.some(({ status }) => status === 410)) return { failingSince, disable: 'gone' };
  if (answers.length === 0) return { failingSince };
  if (answers.some(isSuccess)) return { failingSince: null };
  if (failingSince === null) return { failingSince: now };
  const failedMs = now.getTime() - failingSince.getTime();
  if (failedMs < limits.webhookDisableAfterHours * 3_600_000) return { failingSince };
  return { failingSince, disable: 'failing' };
}
