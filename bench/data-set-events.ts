// The SQL that makes the events of the newest orders for the benchmark's data set.
import { address, type Counts } from './data-set-sql.ts';

const events = 100_000;

/** Older ones are purged, as the service does after a while. */
export function eventsSql({ id, index, orders }: Counts): string {
  const kept = Math.min(events, orders);
  const first = orders - kept + 1;
  return `
    insert into events (organization_id, id, type, object_id, sequence, data, created_at)
    select '${id}', pg_temp.made_id(${index}, 30, n, at), 'order.created', pg_temp.made_id(${index}, 10, n, at), n,
      json_build_object('object', json_build_object('id', pg_temp.made_id(${index}, 10, n, at),
        'name', 'SO-' || 1000 + n, 'alias', 'shop-' || n, 'price', 119.4, 'currency', 'usd',
        'fulfillmentStatus', 'open', 'shipToAddress', '${address}'::json), 'previous', null),
      greatest(at, date_trunc('day', now()) - interval '20 days')
    from (select n, pg_temp.ordered_at(n, ${orders}) as at
      from generate_series(${first}, ${orders}) n order by n) made;
    insert into event_counters (organization_id, last_sequence, oldest_sequence) values ('${id}', ${orders}, ${first});
    insert into webhook_positions (organization_id, last_sequence) values ('${id}', ${orders})`;
}
