-- Purchase orders counted by day, status and warehouse as orders are, so that a count reads a row for each of these and not
-- one for each supplier.
-- Safe: fills rows that no earlier version reads; no row is rewritten.
insert into record_totals (organization_id, kind, day, states, archived, slot, records)
select organization_id, 'purchase-order', coalesce(day, '-infinity'), states, archived, 0, count(*)
from (
  select organization_id, (created_at at time zone 'UTC')::date as day, concat_ws(' ', status, warehouse_id) as states,
    archived_at is not null as archived
  from purchase_orders) p
group by grouping sets ((organization_id, day, states, archived), (organization_id, states, archived));
