// The background work of deliveries, done when a test says so, with a clock that can be put forward.
import type { Database } from '../../src/database/connect.ts';
import { sql } from '../../src/database/connect.ts';
import { findUnsequenced, sequenceEvents } from '../../src/events/sequence.ts';
import { makeSecrets } from '../../src/secrets.ts';
import { deliverDue } from '../../src/webhooks/deliver.ts';
import { findDueEndpoints } from '../../src/webhooks/due-queries.ts';
import { fanOut, findBehind } from '../../src/webhooks/fan-out.ts';
import { makeSender } from '../../src/webhooks/send.ts';
import { testSecret } from './app.ts';

/** Numbers, fans out and tries everything that is due, until nothing is. */
export async function settleDeliveries(
  database: Database,
  options: { allowPrivate?: boolean; timeoutMs?: number } = {},
): Promise<void> {
  const sender = makeSender({ allowPrivate: true, ...options });
  const secrets = makeSecrets(testSecret);
  for (;;) {
    for (const id of await findUnsequenced(database)) await sequenceEvents(database, id);
    for (const id of await findBehind(database)) await fanOut(database, id);
    const due = await findDueEndpoints(database, new Date());
    if (due.length === 0) break;
    await Promise.all(due.map((endpoint) => deliverDue({ database, secrets, sender }, endpoint)));
  }
  await sender.close();
}

/** Lets what waits for its next try be due, and makes endpoints fail for so much longer. */
export async function passTime(database: Database, organizationId: string, hours: number): Promise<void> {
  const ms = hours * 3_600_000;
  await database.query(sql`
    update webhook_deliveries set next_attempt_at = next_attempt_at - make_interval(secs => ${ms / 1000})
    where organization_id = ${organizationId} and next_attempt_at is not null`);
  await database.query(sql`
    update webhook_endpoints set failing_since = failing_since - make_interval(secs => ${ms / 1000})
    where organization_id = ${organizationId}`);
}
