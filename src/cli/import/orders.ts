// Imports sales orders: what their alias names already is there.
import { invalid } from '../../errors.ts';
import { createOrder, type OrderNames, takeOrderNames } from '../../orders/create-order.ts';
import { findOrderAliases } from '../../orders/queries.ts';
import { CreateOrderBody } from '../../orders/schema.ts';
import type { Importing, Kind, Outcome, Row } from './kind.ts';
import { inTurns, writeEach } from './write-each.ts';

export const orders: Kind = {
  schema: CreateOrderBody,
  spread: { list: 'lineItems', sameBy: ['alias'] },
  batchSize: 100,
  write: (importing, rows) => inTurns(rows, aliasOf, (turn) => writeOrders(importing, turn)),
};

async function writeOrders(importing: Importing, rows: readonly Row[]): Promise<Outcome[]> {
  const { database, organizationId, dryRun } = importing;
  const known = await findOrderAliases(database, organizationId, rows.flatMap(aliasOf));
  const isThere = (row: Row) => aliasOf(row).some((alias) => known.has(alias));
  return writeEach<CreateOrderBody, OrderNames>(importing, rows, isThere, {
    // A dry run takes no numbers.
    prepare: async (body) =>
      dryRun
        ? { name: `${body.name}${crypto.randomUUID()}`, returnOrderName: crypto.randomUUID() }
        : takeOrderNames(database, organizationId, body),
    write: (write, body, names) => createOrder(write, { ...aliased(body), uniqueAlias: true }, names),
  });
}

function aliasOf({ body }: Row): string[] {
  const { alias } = body as CreateOrderBody;
  return alias ? [alias] : [];
}

/** Without an alias the file could not be imported a second time. */
function aliased(body: CreateOrderBody): CreateOrderBody {
  if (body.alias) return body;
  throw invalid([{ path: '/alias', code: 'required', message: 'is required in an import' }]);
}
