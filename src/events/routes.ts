// The endpoints of events.
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import { findEvent } from './queries.ts';
import { readFeed } from './read-feed.ts';
import { Event, ListEventsQuery } from './schema.ts';
import { sequencePending } from './sequence.ts';
import type { Watch } from './watch.ts';

export function eventRoutes(api: Api, watch: Watch): void {
  api.get(
    '/events',
    {
      operationId: 'listEvents',
      permission: 'webhooks:read',
      summary: 'Follow the events',
      description:
        'A change feed that loses nothing: always by `sequence`, ascending. A reader that goes on with `after` = the last `sequence` it has dealt with sees every event exactly once, however long the transactions took that made them; what was answered before is in it. `wait` holds the request until there is something to tell. Events are kept for 30 days unless the operator says otherwise; where the event behind `after` is gone, the answer is 410 `events_expired` with `details.oldestSequence`, and the reader starts over from the records themselves.',
      query: ListEventsQuery,
      response: listOf(Event),
      errors: ['invalid_cursor', 'events_expired'],
    },
    async ({ database, scope, query }) => list(await readFeed(database, watch, scope.organizationId, query)),
  );
  api.get(
    '/events/{eventId}',
    {
      operationId: 'getEvent',
      permission: 'webhooks:read',
      summary: 'Get an event',
      ids: { eventId: 'event' },
      response: singleOf('event', Event),
    },
    async ({ database, scope, ids }) => {
      await sequencePending(database, scope.organizationId);
      const found = await findEvent(database, scope.organizationId, ids['eventId']!);
      if (found === undefined) throw notFound('event');
      return single('event', found);
    },
  );
}
