// The auditor is only worth something if it notices: each kind of fault is put into sound facts, and must be told.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { auditAppending } from './audit-papers.ts';
import { auditTurns } from './audit-waiting.ts';
import { audit } from './auditor.ts';
import { readList } from './check-shown.ts';
import { type Facts, takesStock } from './facts.ts';
import { type Party, type Service, startService } from './service.ts';
import { make, makeWorld, idOf as named, type World } from './world.ts';

let service: Service;
let world: World;
let facts: Facts;

const idOf = (name: string) => named(world, name);

function order(fields: object, lines: [name: string, quantity: number][]) {
  const lineItems = lines.map(([name, quantity]) => ({ productVariantId: idOf(name), quantity }));
  const body = {
    name: `${world.prefix}-`,
    price: 1,
    orderDate: '2026-01-05T00:00:00Z',
    lineItems,
    ...fields,
  };
  return make(world.parties[0], '/orders', body);
}

before(async () => {
  service = await startService();
  world = await makeWorld(service);
  const [parent] = world.parties;
  await order({ alias: 'one' }, [['A', 2]]);
  const sent = await order({ alias: 'two' }, [
    ['SET', 1],
    ['AIR', 1],
  ]);
  await make(parent, `/orders/${sent.id}/fulfillments`, {});
  const back = await make(parent, '/return-orders', {
    orderId: sent.id,
    lineItems: [{ lineItemId: sent.lineItems[0].id, quantity: 1 }],
  });
  await make(parent, `/return-orders/${back.id}/receive`, {
    lineItems: [
      {
        lineItemId: back.lineItems[0].id,
        quantity: 1,
        disposition: 'restock',
        warehouseLocationId: idOf('W0/STAGING'),
      },
    ],
  });
  await order({ warehouseId: idOf('W1') }, [['B', 2]]);
  await order({ orderDate: '2026-01-06T00:00:00Z' }, [['C', 9]]);
  const setting = { productVariantIdentifier: idOf('A'), warehouseId: idOf('W0'), safetyStockQuantity: 1 };
  await make(parent, '/inventory/levels', setting);
  const old = { warehouseId: idOf('W0'), warehouseLocationId: idOf('W0/B'), changeQuantity: 1 };
  const expirationDate = '2020-01-01T00:00:00Z';
  await make(parent, '/inventory', { productVariantIdentifier: idOf('A'), ...old, expirationDate });
  await receive(parent);
  await service.settle();
  facts = await service.inside!.read(world.parties.map(({ organizationId }) => organizationId));
});
after(() => service.close());

/** Part of the parent's first purchase order, some of it damaged; and a unit that is taken back again. */
async function receive(parent: Party): Promise<void> {
  const orders = await readList(parent, `/purchase-orders?sortBy=name&sortOrder=asc`);
  const [first] = orders[0].lineItems;
  const path = `/purchase-orders/${orders[0].id}/receipts`;
  const came = { lineItemId: first.id, quantity: 4, damagedQuantity: 2, qualityControlQuantity: 1 };
  await make(parent, path, { lineItems: [came] });
  await make(parent, path, { lineItems: [{ lineItemId: first.id, quantity: -1 }] });
}

const judge = (tampered: Facts) =>
  audit(tampered, { oversold: new Set(), overReceived: new Set(), settled: true });

/** The level, order or line of a name. */
const level = (from: Facts, variant: string, warehouse: string) =>
  from.levels.find(
    ({ productVariantId, warehouseId }) =>
      productVariantId === idOf(variant) && warehouseId === idOf(warehouse),
  )!;
const orderOf = (from: Facts, variant: string) =>
  from.orders.find(({ lines }) => lines[0]!.productVariantId === idOf(variant))!;
const purchaseOrderFrom = (from: Facts, supplier: string) =>
  from.purchaseOrders.find(({ supplierId }) => supplierId === idOf(supplier))!;
const lineOf = (from: Facts, variant: string) => orderOf(from, variant).lines[0]!;

const faults: Record<string, (facts: Facts) => void> = {
  'a record with a unit that never came': ({ records }) => {
    records[0]!.quantity += 1;
  },
  'a movement that is gone': ({ movements }) => {
    movements.pop();
  },
  'a movement into another warehouse': (from) => {
    from.movements[0]!.to = from.places.find(({ warehouseId }) => warehouseId === idOf('W2'))!.id;
  },
  'a level with a unit more than its records': (from) => {
    const one = level(from, 'B', 'W1');
    one.onHand += 1;
    one.pickable += 1;
    one.available += 1;
  },
  'a level that takes damaged units for pickable ones': (from) => {
    const one = level(from, 'B', 'W1');
    one.pickable -= 1;
    one.damaged += 1;
    one.available -= 1;
  },
  'an available figure of its own': (from) => {
    level(from, 'B', 'W0').available += 1;
  },
  'units that nobody holds, and that are committed': (from) => {
    const one = level(from, 'B', 'W0');
    one.committed += 1;
    one.available -= 1;
  },
  'an allocation that is gone': ({ held }) => {
    held.pop();
  },
  'a history of allocations that lacks one': ({ hidden }) => {
    hidden!.allocationChanges.pop();
  },
  'a safety stock that nobody set': (from) => {
    const one = level(from, 'B', 'W0');
    one.safetyStock += 1;
    one.available -= 1;
  },
  'an expired lot that counts as sound': ({ records }) => {
    records.find(({ expired }) => expired)!.expired = false;
  },
  'more promised than can be picked': (from) => {
    const one = level(from, 'A', 'W0');
    const more = one.pickable - one.committed + 1;
    one.committed += more;
    one.available -= more;
    const held = from.held.find(({ lineId }) => lineId === lineOf(from, 'A').id)!;
    held.units += more;
    lineOf(from, 'A').allocated += more;
    lineOf(from, 'A').quantity += more;
    from.hidden!.allocationChanges.push({ ...from.hidden!.allocationChanges[0]!, ...held, quantity: more });
  },
  'a line of which some units are lost': (from) => {
    lineOf(from, 'C').backordered -= 1;
  },
  'a line that holds more than it wants': (from) => {
    lineOf(from, 'A').quantity = 1;
  },
  'a cancelled order that still holds stock': (from) => {
    orderOf(from, 'A').cancelled = true;
  },
  'a voided order that still waits for stock': (from) => {
    orderOf(from, 'C').financialStatus = 'voided';
  },
  'an order that is fulfilled and says it is open': (from) => {
    orderOf(from, 'SET').fulfillmentStatus = 'open';
  },
  'an order that says it is fulfilled': (from) => {
    orderOf(from, 'A').fulfillmentStatus = 'fulfilled';
  },
  'an order that is ready and does not say so': (from) => {
    orderOf(from, 'A').readyToShip = false;
  },
  'an order that waits and says it is ready': (from) => {
    orderOf(from, 'C').readyToShip = true;
  },
  'an order that holds stock beside its pin': (from) => {
    orderOf(from, 'B').warehouseId = idOf('W0');
  },
  'one request that made two orders': (from) => {
    orderOf(from, 'SET').alias = 'one';
  },
  'a fulfilment whose units did not leave': ({ hidden }) => {
    hidden!.fulfillments[0]!.picks[0]!.quantity += 1;
  },
  'a fulfilment of less than has left': ({ hidden }) => {
    hidden!.fulfillments[0]!.lines[0]!.quantity += 1;
  },
  'a cancelled fulfilment whose units did not come back': ({ hidden }) => {
    hidden!.fulfillments[0]!.cancelled = true;
  },
  'a return of which more came back than came in': ({ hidden }) => {
    const [line] = hidden!.returnOrders[0]!.lines;
    line!.receipts[0]!.quantity += 1;
    line!.quantity += 1;
    line!.received += 1;
  },
  'an order that waits beside what it waits for': (from) => {
    const line = lineOf(from, 'C');
    line.needs[0]!.productVariantId = idOf('B');
  },
  'a level that waits for a unit that nobody ordered': (from) => {
    level(from, 'B', 'W0').incoming += 1;
  },
  'units that are still waited for though they have come': (from) => {
    level(from, 'A', 'W0').incoming += 4;
    from.hidden!.incomingChanges.find(({ quantity }) => quantity < 0)!.quantity += 4;
  },
  'a history of incoming units that lacks one': ({ hidden }) => {
    hidden!.incomingChanges.pop();
  },
  'a purchase order that is cancelled, and whose units are still on their way': (from) => {
    const order = purchaseOrderFrom(from, 'S1');
    order.status = 'cancelled';
    order.cancelled = true;
  },
  'a purchase order that says it is complete': (from) => {
    purchaseOrderFrom(from, 'S0').status = 'received';
  },
  'a purchase order that was closed and says it waits': (from) => {
    purchaseOrderFrom(from, 'S0').closed = true;
  },
  'a line that has received more than its receipts brought': (from) => {
    purchaseOrderFrom(from, 'S0').lines[0]!.received += 1;
  },
  'a receipt that is not in the ledger': ({ arrivals }) => {
    arrivals[0]!.qualityControl += 1;
  },
  'units of the ledger that no receipt brought': (from) => {
    from.arrivals.pop();
    purchaseOrderFrom(from, 'S0').lines[0]!.received += 1;
    level(from, 'A', 'W0').incoming -= 1;
    from.hidden!.incomingChanges.find(({ quantity }) => quantity < 0)!.quantity -= 1;
  },
  'more units than were ordered, which nobody allowed': (from) => {
    purchaseOrderFrom(from, 'S0').lines[0]!.requested = 2;
  },
  'more units taken back than came': ({ arrivals }) => {
    arrivals[1]!.damaged = -3;
  },
  'a purchase order that comes to another amount': (from) => {
    purchaseOrderFrom(from, 'S1').grandTotal += 0.01;
  },
  'a shared place that is another one for the child': (from) => {
    const mirrored = from.places.filter(({ warehouseId }) => warehouseId === idOf('W1'));
    mirrored.find(({ organizationId }) => organizationId === world.parties[1].organizationId)!.type = 'floor';
  },
};

describe('the auditor', () => {
  it('finds nothing where nothing is wrong', () => {
    assert.deepEqual(judge(facts), []);
    assert.deepEqual(auditTurns(facts, facts), []);
    assert.deepEqual(auditAppending(facts, facts), []);
  });

  for (const [fault, tamper] of Object.entries(faults)) {
    it(`notices ${fault}`, () => {
      const tampered = structuredClone(facts);
      tamper(tampered);
      assert.notDeepEqual(judge(tampered), []);
    });
  }

  it('notices a row of the ledger that was rewritten', () => {
    const tampered = structuredClone(facts);
    tampered.movements[0]!.reason = 'another';
    assert.equal(auditAppending(facts, tampered).length, 1);
  });

  it('notices a later order that is served before an earlier one', () => {
    const later = structuredClone(facts);
    const waiting = orderOf(later, 'C');
    assert.ok(takesStock(waiting));
    const first = {
      ...waiting,
      id: `0${waiting.id.slice(1)}`,
      orderDate: new Date(0),
      lines: structuredClone(waiting.lines),
    };
    first.lines[0]!.id = waiting.id;
    later.orders.push(first);
    waiting.lines[0]!.backordered -= 1;
    waiting.lines[0]!.allocated += 1;
    assert.match(auditTurns(facts, later).join(), /was served before/);
  });

  it('notices an earlier order that loses its stock before a later one', () => {
    const sound = structuredClone(facts);
    const holding = orderOf(sound, 'A');
    const held = sound.held.find(({ lineId }) => lineId === holding.lines[0]!.id)!;
    const second = {
      ...holding,
      id: `f${holding.id.slice(1)}`,
      orderDate: new Date(),
      lines: structuredClone(holding.lines),
    };
    second.lines[0]!.id = holding.id;
    sound.orders.push(second);
    sound.held.push({ ...held, lineId: holding.id });
    const tampered = structuredClone(sound);
    tampered.held.find(({ lineId }) => lineId === holding.lines[0]!.id)!.units -= 1;
    assert.match(auditTurns(sound, tampered).join(), /lost units/);
  });

  it('knows nothing of the service but how to send it a statement', () => {
    const folder = new URL('./', import.meta.url);
    const own = readdirSync(folder).filter(
      (name) => /^(audit|facts|check|purchasing-from)/.test(name) && !name.endsWith('.test.ts'),
    );
    const imports = own.flatMap((name) =>
      [...readFileSync(new URL(name, folder), 'utf8').matchAll(/from '(\.\.[^']+)'/g)].map(
        ([, path]) => path,
      ),
    );
    assert.deepEqual([...new Set(imports)], ['../../src/database/connect.ts']);
  });
});
