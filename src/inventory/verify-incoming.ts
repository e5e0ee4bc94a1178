// The checks of a verification that are about what suppliers send.
import { sql } from '../database/connect.ts';
import { owned } from '../database/tenant.ts';
import { incomingUnits } from './incoming.ts';
import { type Check, differencesOf, figure } from './verify-figures.ts';

/** What a level waits for is what open purchase orders owe it, and what the history of that adds up to. */
const incomingByPurchaseOrders: Check = (database, organizationId, limit) => {
  const kind = sql`'incomingQuantity'`;
  const owed = figure({
    kind,
    basis: sql`'purchase-orders'`,
    variant: 'i.product_variant_id',
    warehouse: 'i.warehouse_id',
    expected: sql`i.quantity`,
    actual: sql`0`,
  });
  const history = figure({
    kind,
    basis: sql`'incoming-history'`,
    variant: 'h.product_variant_id',
    warehouse: 'h.warehouse_id',
    expected: sql`h.quantity`,
    actual: sql`0`,
  });
  const kept = figure({
    kind,
    basis: sql`b.basis`,
    variant: 'l.product_variant_id',
    warehouse: 'l.warehouse_id',
    expected: sql`0`,
    actual: sql`l.incoming_quantity`,
  });
  const figures = sql`
    select ${owed} from ${incomingUnits(organizationId)} i
    union all
    select ${history} from incoming_changes h where ${owned('h', organizationId)}
    union all
    select ${kept} from inventory_levels l
    cross join (values ('purchase-orders'), ('incoming-history')) b (basis)
    where ${owned('l', organizationId)}`;
  return differencesOf(database, organizationId, figures, limit);
};

/** What a line has received is what its receipts brought, less what they took back. */
const linesByReceipts: Check = (database, organizationId, limit) => {
  const common = { kind: sql`'receivedQuantity'`, basis: sql`'receipts'` };
  const line = { variant: 'li.product_variant_id', warehouse: 'none.warehouse_id', purchaseLine: 'li.id' };
  const figures = sql`
    select ${figure({ ...common, ...line, expected: sql`r.quantity`, actual: sql`0` })}
    from purchase_order_line_item_receipts r
    join purchase_order_line_items li on ${owned('li', organizationId)} and li.id = r.purchase_order_line_item_id
    cross join (values (null::uuid)) none (warehouse_id)
    where ${owned('r', organizationId)}
    union all
    select ${figure({ ...common, ...line, expected: sql`0`, actual: sql`li.received_quantity` })}
    from purchase_order_line_items li
    cross join (values (null::uuid)) none (warehouse_id)
    where ${owned('li', organizationId)}`;
  return differencesOf(database, organizationId, figures, limit);
};

export const incomingChecks: readonly Check[] = [incomingByPurchaseOrders, linesByReceipts];
