// `totalCount` of the lists, under every filter that has a count of its own, held against what is really there.
import type { Facts } from './facts.ts';
import type { Party } from './service.ts';
import type { World } from './world.ts';

/** A list and how many records it has. */
type Counted = readonly [path: string, count: number];

/** Some of the lists each time, by `turn`; all of them where there is none. */
export async function checkCounts(world: World, facts: Facts, turn?: number): Promise<string[]> {
  const asked = world.parties
    .flatMap((party) => listsOf(world, party, facts).map((counted) => ({ party, counted })))
    .filter((_, index) => turn === undefined || index % 12 === turn % 12);
  const problems = asked.map(({ party, counted }) => countProblems(party, counted));
  return (await Promise.all(problems)).flat();
}

async function countProblems(party: Party, [path, count]: Counted): Promise<string[]> {
  const { status, text, body } = await party.send('GET', `${path}${path.includes('?') ? '&' : '?'}limit=1`);
  if (status !== 200) return [`GET ${path} answered ${status}: ${text}`];
  const { totalCount, data, hasMore } = body;
  const sound = totalCount === count && data.length === Math.min(1, count) && hasMore === count > 1;
  if (sound) return [];
  return [
    `GET ${path} counts ${totalCount} records, shows ${data.length} of 1 and says there are ` +
      `${hasMore ? '' : 'no '}more; there are ${count}`,
  ];
}

interface Owned {
  organizationId: string;
}

function listsOf(world: World, party: Party, facts: Facts): Counted[] {
  const own = <T extends Owned>(records: readonly T[]) =>
    records.filter(({ organizationId }) => organizationId === party.organizationId);
  // Its client's are a parent's too, where it asks for them.
  const family = <T extends Owned>(records: readonly T[]) =>
    party === world.parties[0] ? records : own(records);
  return [
    ...orderLists(own(facts.orders), family(facts.orders)),
    ...purchaseOrderLists(own(facts.purchaseOrders), family(facts.purchaseOrders)),
    ...productLists(own(facts.products)),
    ...levelLists(own(facts.levels), family(facts.levels)),
    ...returnOrderLists(own(facts.hidden?.returnOrders ?? [])),
    ['/events', facts.hidden?.eventCounts[party.organizationId] ?? 0],
  ];
}

const fulfillmentStatuses = [
  'scheduled',
  'open',
  'confirmed',
  'on-hold',
  'partially-fulfilled',
  'fulfilled',
] as const;
const financialStatuses = ['authorized', 'expired', 'paid', 'pending', 'refunded', 'voided'] as const;

type Orders = readonly Facts['orders'][number][];

function orderLists(all: Orders, family: Orders): Counted[] {
  const count = (fits: (order: Orders[number]) => boolean, of = all) =>
    of.filter((order) => !order.archived && fits(order)).length;
  const between = (from: string, to: string) => (order: Orders[number]) =>
    order.orderDate >= new Date(`${from}T00:00:00Z`) && order.orderDate < new Date(`${to}T23:59:59.999Z`);
  return [
    ['/orders', count(() => true)],
    ['/orders?includeArchived=true', all.length],
    ['/orders?childOrders=true', count(() => true, family)],
    ['/orders?readyToShip=true', count((order) => order.readyToShip)],
    ['/orders?readyToShip=false', count((order) => !order.readyToShip)],
    ...fulfillmentStatuses.map(
      (status): Counted => [
        `/orders?fulfillmentStatus=${status}`,
        count((order) => order.fulfillmentStatus === status),
      ],
    ),
    ...financialStatuses.map(
      (status): Counted => [
        `/orders?financialStatus=${status}`,
        count((order) => order.financialStatus === status),
      ],
    ),
    [
      '/orders?financialStatus=pending&fulfillmentStatus=open',
      count((order) => order.financialStatus === 'pending' && order.fulfillmentStatus === 'open'),
    ],
    [
      '/orders?dateRange[from]=2026-01-02&dateRange[to]=2026-01-05',
      count(between('2026-01-02', '2026-01-05')),
    ],
    // A day of Tokyo begins nine hours before that of UTC; every order is of midnight.
    [
      '/orders?dateRange[from]=2026-01-04&dateRange[to]=2026-01-04&timezone=Asia/Tokyo',
      count(between('2026-01-04', '2026-01-04')),
    ],
  ];
}

const purchaseOrderStatuses = [
  'draft',
  'open',
  'confirmed',
  'partially-received',
  'received',
  'cancelled',
] as const;

type PurchaseOrders = readonly Facts['purchaseOrders'][number][];

function purchaseOrderLists(all: PurchaseOrders, family: PurchaseOrders): Counted[] {
  const count = (fits: (order: PurchaseOrders[number]) => boolean, of = all) =>
    of.filter((order) => !order.archived && fits(order)).length;
  const suppliers = [...new Set(all.map(({ supplierId }) => supplierId))];
  const warehouses = [...new Set(all.map(({ warehouseId }) => warehouseId))];
  return [
    ['/purchase-orders', count(() => true)],
    ['/purchase-orders?includeArchived=true', all.length],
    ['/purchase-orders?childOrders=true', count(() => true, family)],
    ...purchaseOrderStatuses.map(
      (status): Counted => [`/purchase-orders?status=${status}`, count((order) => order.status === status)],
    ),
    ...suppliers.map(
      (id): Counted => [`/purchase-orders?supplierId=${id}`, count((order) => order.supplierId === id)],
    ),
    ...warehouses.map(
      (id): Counted => [
        `/purchase-orders?warehouseId=${id}&status=received`,
        count((order) => order.warehouseId === id && order.status === 'received'),
      ],
    ),
  ];
}

function productLists(products: Facts['products']): Counted[] {
  const unarchived = products.filter(({ archived }) => !archived);
  return [
    ['/products', unarchived.length],
    ['/products?includeArchived=true', products.length],
  ];
}

type Levels = readonly Facts['levels'][number][];

function levelLists(levels: Levels, family: Levels): Counted[] {
  const warehouses = [...new Set(levels.map(({ warehouseId }) => warehouseId))];
  return [
    ['/inventory/levels', levels.length],
    ['/inventory/levels?childInventory=true', family.length],
    ...warehouses.map(
      (id): Counted => [
        `/inventory/levels?warehouseId=${id}`,
        levels.filter(({ warehouseId }) => warehouseId === id).length,
      ],
    ),
  ];
}

function returnOrderLists(all: NonNullable<Facts['hidden']>['returnOrders']): Counted[] {
  const statuses = ['requested', 'received', 'closed', 'cancelled'];
  return [
    ['/return-orders', all.length],
    ...statuses.map(
      (status): Counted => [
        `/return-orders?status=${status}`,
        all.filter((one) => one.status === status).length,
      ],
    ),
  ];
}
