// What the simulation holds the API's lists and its feed of events against: each kind of fault must be told.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Sql, sql } from '../../src/database/connect.ts';
import { followEvents, type TellingEvent, type Told } from './audit-events.ts';
import { checkCounts } from './check-counts.ts';
import { checkAllTold, readFeeds } from './check-feed.ts';
import type { Facts } from './facts.ts';
import { type Service, startService } from './service.ts';
import { idOf, make, makeWorld, type World } from './world.ts';

let service: Service;
let world: World;
let facts: Facts;
let events: TellingEvent[];
let parentId: string;

const nothingTold = (): Told => ({ last: new Map(), records: new Map() });

before(async () => {
  service = await startService();
  world = await makeWorld(service);
  const [parent] = world.parties;
  parentId = parent.organizationId;
  const lineItems = [{ productVariantId: idOf(world, 'A'), quantity: 2 }];
  const body = { name: `${world.prefix}-`, price: 1, orderDate: '2026-01-04T00:00:00Z', lineItems };
  const { id } = await make(parent, '/orders', body);
  await make(parent, `/orders/${id}/hold`, {});
  await make(parent, '/return-orders', { lineItems: [] });
  facts = await service.inside!.read(world.parties.map(({ organizationId }) => organizationId));
  events = (await parent.send('GET', '/events?limit=100')).body.data;
});
after(() => service.close());

describe('the feed', () => {
  it('tells all that is stored, and nothing else', async () => {
    const told = nothingTold();
    const { problems, touched } = await readFeeds(world, facts, told);
    assert.deepEqual(problems, []);
    assert.ok(touched.length > 20);
    assert.deepEqual(await checkAllTold(world, facts, told), []);
  });

  /** The position of the last event of a type. */
  const last = (list: readonly TellingEvent[], type: string) =>
    list.findLastIndex((one) => one.type === type);

  const faults: Record<string, [tamper: (list: TellingEvent[]) => void, told: RegExp]> = {
    'a number that is left out': [(list) => list.splice(3, 1), /out of turn/],
    'two numbers in the wrong order': [(list) => list.push(...list.splice(4, 1)), /out of turn/],
    'an event of another organisation': [
      (list) => {
        list[2]!.organizationId = world.parties[1].organizationId;
      },
      /of another organisation/,
    ],
    'a record that nobody created': [
      (list) => {
        list[last(list, 'order.created')]!.type = 'order.updated';
      },
      /is not how it was created/,
    ],
    'a change that begins elsewhere than the last one ended': [
      (list) => {
        list[last(list, 'order.held')]!.data.previous.price = 7;
      },
      /does not begin where the last event ended; it differs in price/,
    ],
    'a move that there is not': [
      (list) => {
        const { data } = list[last(list, 'purchase_order.confirmed')]!;
        data.object.status = 'received';
      },
      /leads from open to received/,
    ],
    'a move by another name': [
      (list) => {
        list[last(list, 'purchase_order.confirmed')]!.type = 'purchase_order.updated';
      },
      /is a change from open to confirmed/,
    ],
  };
  for (const [fault, [tamper, told]] of Object.entries(faults)) {
    it(`may not have ${fault}`, () => {
      const tampered = structuredClone(events);
      tamper(tampered);
      assert.match(followEvents(parentId, tampered, nothingTold()).problems.join('\n'), told);
    });
  }

  it('may not end otherwise than the record is, of whatever kind', async () => {
    const told = nothingTold();
    await readFeeds(world, facts, told);
    const kinds = new Set<string>();
    for (const record of told.records.values()) {
      kinds.add(record.kind);
      if (record.kind === 'inventory') record.object.onHandQuantity += 1;
      else record.object.id = record.object.id.toUpperCase();
    }
    assert.deepEqual([...kinds].sort(), [
      'inventory',
      'order',
      'product',
      'product_variant',
      'purchase_order',
      'return_order',
    ]);
    const problems = await checkAllTold(world, facts, told);
    assert.equal(problems.filter((one) => one.includes('last event says')).length, told.records.size);
  });
});

describe('the counts of lists', () => {
  it('are what is there', async () => {
    assert.deepEqual(await checkCounts(world, facts), []);
  });

  const faults: Record<string, [tamper: () => Sql<unknown>, told: RegExp]> = {
    orders: [
      () => sql`update record_totals set records = records + 1
        where organization_id = ${parentId} and kind = 'order'`,
      /GET \/orders\?fulfillmentStatus=on-hold counts/,
    ],
    products: [
      () => sql`update product_totals set archived = archived + 1 where organization_id = ${parentId}`,
      /GET \/products\?includeArchived=true counts/,
    ],
    'purchase orders': [
      () => sql`delete from record_totals
        where organization_id = ${parentId} and kind = 'purchase-order' and states like 'draft %'`,
      /GET \/purchase-orders\?status=draft counts 0/,
    ],
    'a supplier': [
      () => sql`delete from purchase_order_totals where organization_id = ${parentId}`,
      /GET \/purchase-orders\?supplierId=\S+ counts 0/,
    ],
    levels: [
      () => sql`update inventory_level_totals set levels = levels - 1 where organization_id = ${parentId}`,
      /GET \/inventory\/levels\?warehouseId=\S+ counts/,
    ],
  };
  for (const [kind, [tamper, told]] of Object.entries(faults)) {
    it(`are told when those of ${kind} are not`, async () => {
      await service.inside!.database.query(tamper());
      assert.match((await checkCounts(world, facts)).join('\n'), told);
    });
  }
});
