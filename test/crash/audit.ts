// Looks for every answered write in the database, once; for halves of those that were not; and for every label at its carrier.
import type pg from 'pg';
import type { Asked, Journal } from './client.ts';

/** Where the effect of a request is found by its number: a statement with the number's word as its only value. */
const traces: { path: RegExp; word: (n: number) => string; count: string }[] = [
  {
    path: /^\/orders$/,
    word: (n) => `order-${n}`,
    count: 'select count(*)::int as n from orders where alias = $1',
  },
  {
    path: /^\/customers$/,
    word: (n) => `customer-${n}`,
    count: 'select count(*)::int as n from customers where name = $1',
  },
  {
    path: /\/fulfillments$/,
    word: (n) => `own-${n}`,
    count: 'select count(*)::int as n from fulfillments where tracking_code = $1',
  },
  {
    path: /^\/purchase-orders$/,
    word: (n) => `po-${n}`,
    count: 'select count(*)::int as n from purchase_orders where reference_number = $1',
  },
  {
    path: /\/receipts$/,
    word: (n) => `receipt-${n}`,
    count: 'select count(*)::int as n from purchase_order_receipts where reference = $1',
  },
];

export async function audit(client: pg.Client, { asked, findings }: Journal): Promise<string[]> {
  const found = [...findings];
  for (const one of asked) found.push(...(await auditRequest(client, one)));
  found.push(...(await differences(client)));
  return found;
}

async function auditRequest(client: pg.Client, { n, path, body, answer }: Asked): Promise<string[]> {
  const written = answer?.status === 200;
  const problems: string[] = [];
  const judge = (what: string, count: number) => {
    if (written ? count !== 1 : count > 1) {
      problems.push(
        `request ${n} (${path}, answered ${answer?.status ?? 'never'}): ${what} is there ${count} times`,
      );
    }
  };
  const trace = traces.find((one) => one.path.test(path));
  if (trace !== undefined) judge('it', await countOf(client, trace.count, trace.word(n)));
  if (path === '/inventory' && body.reason !== 'opening') {
    const statement = 'select count(*)::int as n from inventory_movements where reason = $1';
    judge('its movement', await countOf(client, statement, body.reason));
  }
  if (path === '/shipments' && written) {
    const statement = `select count(*)::int as n from shipments where id = $1 and purchase_status = 'purchased'`;
    judge('its shipment', await countOf(client, statement, answer.body.data.id));
  }
  return problems;
}

async function countOf(client: pg.Client, statement: string, value: string): Promise<number> {
  return (await client.query<{ n: number }>(statement, [value])).rows[0]!.n;
}

/** What must hold whatever was asked for: each statement selects the words for one difference. */
const rules = [
  `select 'shipment ' || s.id || ' is ' || s.purchase_status || ' with ' || count(l.id) || ' labels at the carrier' as said
   from shipments s left join simulated_labels l on l.reference = s.id
   group by s.organization_id, s.id, s.purchase_status
   having count(l.id) <> case s.purchase_status when 'purchased' then 1 else 0 end`,
  `select 'label ' || l.id || ' is of no shipment' from simulated_labels l
   where not exists (select 1 from shipments s where s.id = l.reference)`,
  `select 'label ' || l.id || ' is voided at the carrier only' from simulated_labels l
   join shipments s on s.id = l.reference where l.voided_at is not null and s.void_status is null`,
  `select 'shipment ' || s.id || ' and its fulfilment disagree' from shipments s
   join fulfillments f on f.id = s.fulfillment_id
   where (f.cancelled_at is null) <> (s.purchase_status = 'purchased' and s.void_status is null)`,
  `select 'order ' || o.id || ' has ' || count(e.id) || ' events of its creation' from orders o
   left join events e on e.object_id = o.id and e.type = 'order.created' group by o.organization_id, o.id having count(e.id) <> 1`,
  `select 'shipment ' || s.id || ' has ' || count(e.id) || ' events of its purchase' from shipments s
   left join events e on e.object_id = s.id and e.type = 'shipment.purchased'
   where s.purchase_status = 'purchased' group by s.organization_id, s.id having count(e.id) <> 1`,
  `select 'key ' || key || ' still holds an intent' from idempotency_keys where status = 202`,
  `select 'event ' || id || ' has no number' from events where sequence is null`,
  `select 'numbers of events have a gap' from events group by organization_id
   having count(*) <> max(sequence) - min(sequence) + 1`,
  `select 'order line ' || id || ' is backordered beside free stock' from order_line_items where quantity_backordered > 0`,
];

async function differences(client: pg.Client): Promise<string[]> {
  const found: string[] = [];
  for (const rule of rules) {
    const { rows } = await client.query<{ said: string }>({
      text: rule.replace(/ as said\b/, ''),
      rowMode: 'array',
    } as never);
    found.push(...rows.map((row) => String((row as unknown as string[])[0])));
  }
  return found;
}

/** Nothing is left to be done for anybody. */
export async function isSettled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ open: number }>(`
    select (select count(*) from shipments where purchase_status in ('pending', 'unknown')
        or void_requested_at is not null and void_status is null and refund_status is null)
      + (select count(*) from backorder_fills) + (select count(*) from events where sequence is null) as open`);
  return Number(rows[0]!.open) === 0;
}
