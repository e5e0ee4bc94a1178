// The auditor on orders: what they hold, what has left, and the state that follows from it.
import {
  type Facts,
  isHistory,
  isUnpayable,
  type Line,
  levelKey,
  type Order,
  openUnits,
  Sums,
  statusBehindHold,
  takesStock,
} from './facts.ts';

export function auditOrders(facts: Facts): string[] {
  return [
    ...facts.orders.flatMap((order) => [
      ...order.lines.flatMap((line) => lineProblems(order, line)),
      ...statusProblems(order),
    ]),
    ...linesByAllocations(facts),
    ...committedByAllocations(facts),
    ...fulfilledByFulfillments(facts),
    ...pinsAreKept(facts),
    ...aliasesAreUnique(facts),
  ];
}

function lineProblems(order: Order, line: Line): string[] {
  const { quantity, allocated, backordered, fulfilled, cancelled } = line;
  const counted = allocated + backordered + fulfilled + cancelled;
  const wrong = (what: string) => [
    `order ${order.name} (${describe(order)}), line ${line.position} of ${quantity}: ${what} ` +
      `(allocated ${allocated}, backordered ${backordered}, fulfilled ${fulfilled}, cancelled ${cancelled})`,
  ];
  if ([quantity - 1, allocated, backordered, fulfilled, cancelled].some((units) => units < 0)) {
    return wrong('has a negative quantity');
  }
  if (counted > quantity) return wrong('more units are accounted for than it has');
  if (takesStock(order) && counted < quantity)
    return wrong('takes stock, but some units are neither held nor waited for');
  if (order.cancelled && cancelled !== quantity) return wrong('was cancelled, but some units were not');
  const idle =
    order.cancelled || isUnpayable(order) || isHistory(order) || order.fulfillmentStatus === 'fulfilled';
  if (idle && allocated + backordered > 0) return wrong('holds or waits for stock though its order may not');
  if (line.needs.length === 0 && backordered > 0) return wrong('needs no stock, yet waits for some');
  return [];
}

function describe(order: Order): string {
  const { fulfillmentStatus, financialStatus, cancelled, createdAs } = order;
  return [
    fulfillmentStatus,
    financialStatus,
    ...(cancelled ? ['cancelled'] : []),
    ...(isHistory(order) ? [`created ${createdAs}`] : []),
  ].join(', ');
}

function statusProblems(order: Order): string[] {
  const wrong = (what: string) => [`order ${order.name} (${describe(order)}) ${what}`];
  const problems: string[] = [];
  const status = statusBehindHold(order);
  const left = order.lines.some((line) => line.fulfilled > 0);
  const done = order.lines.length > 0 && order.lines.every((line) => openUnits(line) === 0);
  if (!isHistory(order)) {
    const computed = left ? (done ? 'fulfilled' : 'partially-fulfilled') : undefined;
    if (computed !== undefined && status !== computed)
      problems.push(...wrong(`should be ${computed} by its lines`));
    if (computed === undefined && ['fulfilled', 'partially-fulfilled'].includes(status)) {
      problems.push(...wrong('says that something has left, and nothing has'));
    }
  } else if (!['fulfilled', 'partially-fulfilled'].includes(status)) {
    problems.push(...wrong('was history and is no longer'));
  }
  if (order.cancelled && left) problems.push(...wrong('was cancelled though something has left'));
  const onHold = order.fulfillmentStatus === 'on-hold';
  if (!onHold && order.holdReason !== null) problems.push(...wrong(`still has a reason for its hold`));
  if (!onHold && order.statusBeforeHold !== null) problems.push(...wrong(`still remembers its hold`));
  const ready =
    ['open', 'confirmed'].includes(order.fulfillmentStatus) &&
    !order.cancelled &&
    order.lines.length > 0 &&
    order.lines.every((line) => line.backordered === 0 && line.allocated === openUnits(line));
  if (order.readyToShip !== ready) problems.push(...wrong(`says ready to ship ${order.readyToShip}`));
  return problems;
}

/** What lines hold, by the allocations: bundles whole, so every component in step. */
function linesByAllocations({ orders, held }: Facts): string[] {
  const units = new Sums();
  for (const { lineId, productVariantId, units: held_ } of held)
    units.add(`${lineId} ${productVariantId}`, held_);
  return orders.flatMap((order) =>
    order.lines.flatMap((line) =>
      line.needs
        .filter(
          ({ productVariantId: id, perUnit }) => units.get(`${line.id} ${id}`) !== line.allocated * perUnit,
        )
        .map(
          ({ productVariantId: id, perUnit }) =>
            `order ${order.name}, line ${line.position} says ${line.allocated * perUnit} units of ${id} are held; ` +
            `its allocations hold ${units.get(`${line.id} ${id}`)}`,
        ),
    ),
  );
}

function committedByAllocations({ levels, held, hidden }: Facts): string[] {
  const now = new Sums();
  for (const one of held) now.add(levelKey(one), one.units);
  const history = new Sums();
  for (const change of hidden?.allocationChanges ?? []) history.add(levelKey(change), change.quantity);
  const committed = new Map(levels.map((level) => [levelKey(level), level.committed]));
  const keys = [...new Set([...now.keys(), ...history.keys(), ...committed.keys()])];
  return keys.flatMap((key) => [
    ...(now.get(key) === (committed.get(key) ?? 0)
      ? []
      : [`${key} is committed to ${committed.get(key)}; open allocations hold ${now.get(key)}`]),
    ...(hidden === undefined || history.get(key) === (committed.get(key) ?? 0)
      ? []
      : [
          `${key} is committed to ${committed.get(key)}; the history of allocations comes to ${history.get(key)}`,
        ]),
  ]);
}

/** What has left is what fulfilments say that are not cancelled; an order that arrived fulfilled needs none. */
function fulfilledByFulfillments({ orders, hidden }: Facts): string[] {
  if (hidden === undefined) return [];
  const left = new Sums();
  for (const { lines, cancelled } of hidden.fulfillments) {
    for (const { lineId, quantity } of cancelled ? [] : lines) left.add(lineId, quantity);
  }
  return orders.flatMap((order) =>
    order.lines.flatMap((line) => {
      const expected = order.createdAs === 'fulfilled' ? line.quantity : left.get(line.id);
      if (line.fulfilled === expected) return [];
      return [
        `order ${order.name}, line ${line.position} says ${line.fulfilled} have left; ${expected} have`,
      ];
    }),
  );
}

/** "An optional `warehouseId` on the order pins it." What came back from a fulfilment lies where it lay. */
function pinsAreKept({ orders, held, hidden }: Facts): string[] {
  const undone = new Set(hidden?.fulfillments.filter((one) => one.cancelled).map(({ orderId }) => orderId));
  const byLine = Map.groupBy(held, ({ lineId }) => lineId);
  return orders
    .filter((order) => order.warehouseId !== null && takesStock(order) && !undone.has(order.id))
    .flatMap((order) =>
      order.lines
        .flatMap((line) => byLine.get(line.id) ?? [])
        .filter(({ warehouseId, units }) => units > 0 && warehouseId !== order.warehouseId)
        .map(
          ({ warehouseId }) =>
            `order ${order.name} is pinned to ${order.warehouseId}, and holds stock in ${warehouseId}`,
        ),
    );
}

/** The simulation gives every order an alias of its own: one that is there twice was created twice. */
function aliasesAreUnique({ orders }: Facts): string[] {
  const byAlias = Map.groupBy(orders, ({ organizationId, alias }) => `${organizationId} ${alias}`);
  return [...byAlias.values()]
    .filter((same) => same.length > 1 && same[0]!.alias !== null)
    .map((same) => `one request created ${same.length} orders: ${same.map(({ name }) => name).join(', ')}`);
}
