// One read of the feed: from a number on, nothing missed, waiting for what is to come where the reader asks for it.
import type { Database } from '../database/connect.ts';
import { ApiError, invalid } from '../errors.ts';
import type { Page } from '../http/pagination.ts';
import { type EventType, eventTypes } from './append.ts';
import { type Feed, findKept, listEvents } from './queries.ts';
import type { ListEventsQuery } from './schema.ts';
import { sequencePending } from './sequence.ts';
import type { Watch } from './watch.ts';

/** @throws 410 events_expired when the event behind `after` is no longer kept */
export async function readFeed(
  database: Database,
  watch: Watch,
  organizationId: string,
  query: ListEventsQuery,
): Promise<Page> {
  const until = performance.now() + query.wait * 1000;
  const feed = feedOf(query);
  for (;;) {
    await sequencePending(database, organizationId);
    const { last } = await findKept(database, organizationId);
    const page = await listEvents(database, organizationId, feed);
    // Looked at after the page was read: what is there now was there then.
    const { oldest } = await findKept(database, organizationId);
    if (feed.after > 0 && feed.after + 1 < oldest) {
      throw new ApiError('events_expired', { details: { oldestSequence: oldest } });
    }
    if (page.items.length > 0 || feed.page > 1 || performance.now() >= until) return page;
    await watch.wait(organizationId, Math.max(last, feed.after), until);
  }
}

function feedOf({ wait: _wait, after, cursor, types, ...rest }: ListEventsQuery): Feed {
  return {
    ...rest,
    after: after ?? 0,
    // `after` says more plainly than a cursor where to go on, so it wins.
    ...(cursor === undefined || after !== undefined ? {} : { cursor }),
    ...(types === undefined ? {} : { types: typesOf(types) }),
    ...(after === undefined ? {} : { page: 1 }),
  };
}

function typesOf(text: string): EventType[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(eventTypes as readonly string[]).includes(name));
  if (unknown.length > 0) {
    const message = `knows no ${unknown.join(', ')}; there are ${eventTypes.join(', ')}`;
    throw invalid([{ path: '/types', code: 'not_allowed', message }]);
  }
  return names as EventType[];
}
