// The reader of statements itself: a check that finds nothing would look the same as one with nothing to find.
import assert from 'node:assert/strict';
import test from 'node:test';
import { tenancyProblems } from './tenancy.ts';

const allowed = [
  'select 1',
  'select id from organizations where slug = $1',
  'select * from orders where organization_id = $1 and id = $2',
  'select count(*) from orders o where o.organization_id = any($1::uuid[])',
  'update orders set name = $1 where organization_id = $2',
  `update orders o set name = x.name from unnest($1::uuid[], $2::text[]) as x(id, name)
    where o.organization_id = $3 and o.id = x.id`,
  'insert into orders (organization_id, id) values ($1, $2), ($1, $3)',
  'insert into orders as o (organization_id, id) select $1, x.id from unnest($2::uuid[]) as x(id)',
  `with gone as (delete from orders where organization_id = $1 returning id)
    select g.id from gone g join customers c on c.organization_id = $1 and c.id = g.id`,
  `select (select json_agg(l.id) from order_line_items l where l.organization_id = $1 and l.order_id = o.id)
    from orders o left join customers c on c.organization_id = $1 where o.organization_id = $1`,
];

const refused: [statement: string, problem: RegExp][] = [
  ['select * from orders', /reaches orders/],
  ['select * from orders where organization_id = $1 or id = $2', /reaches orders/],
  ['select * from orders where not (organization_id = $1)', /reaches orders/],
  ['select * from orders where organization_id = id', /reaches orders/],
  ['select * from orders o, customers c where organization_id = $1', /reaches customers/],
  ['select * from orders o where o.organization_id <> $1', /reaches orders/],
  [
    'select * from orders o join customers c on c.organization_id = o.organization_id where o.organization_id = $1',
    /reaches customers/,
  ],
  ['select * from orders o left join customers c on o.organization_id = $1', /reaches orders/],
  ['select (select count(*) from customers) from orders where organization_id = $1', /reaches customers/],
  ['select 1 where exists (select from orders)', /reaches orders/],
  ['select id from orders where organization_id = $1 union select id from customers', /reaches customers/],
  ['update orders set name = $1 where id = $2', /reaches orders/],
  ['delete from orders o using customers c where o.organization_id = $1 and c.id = $2', /reaches customers/],
  ['insert into orders (id) values ($1)', /without organization_id/],
  ['insert into orders (organization_id) values (gen_random_uuid())', /no parameter/],
  ['with x as (select * from orders) select * from customers where organization_id = $1', /reaches orders/],
];

for (const statement of allowed) {
  test(`takes: ${statement}`, () => assert.deepEqual(tenancyProblems(statement), []));
}
for (const [statement, problem] of refused) {
  test(`refuses: ${statement}`, () => assert.match(tenancyProblems(statement).join('; '), problem));
}
