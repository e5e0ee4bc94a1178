// Commands that change the circumstances: safety stock, policies, kinds of places, warehouses, the organisation.
import fc from 'fast-check';
import {
  type Asked,
  allWarehousesOf,
  type Command,
  command,
  nth,
  partyOf,
  type Seen,
  stockedVariantsOf,
  variantsOf,
} from './command.ts';
import type { Warehouse } from './facts.ts';

const n = fc.nat(999);

const setSafetyStock = command({
  name: 'set safety stock',
  weight: 3,
  ofStock: true,
  data: fc.record({ who: n, variant: n, warehouse: n, quantity: fc.nat(4) }),
  ask: ({ who, variant: which, warehouse, quantity }, seen): Asked | undefined => {
    const party = partyOf(seen, who);
    const variant = nth(stockedVariantsOf(seen, party), which);
    const there = nth(allWarehousesOf(seen, party), warehouse);
    if (variant === undefined || there === undefined) return undefined;
    return {
      party,
      path: '/inventory/levels',
      body: { productVariantIdentifier: variant.id, warehouseId: there.id, safetyStockQuantity: quantity },
      may: ['archived'],
      must: there.archived && quantity > 0 ? 'archived' : 'ok',
    };
  },
});

const changePlace = command({
  name: 'change a place',
  weight: 4,
  ofStock: true,
  data: fc.record({
    place: n,
    change: fc.oneof(
      fc.record({ pickable: fc.boolean() }),
      fc.record({ type: fc.constantFrom('bin', 'staging', 'damaged', 'quality-control', 'returns') }),
      fc.record({ archived: fc.boolean() }),
    ),
  }),
  ask: ({ place: which, change }, seen): Asked | undefined => {
    const owned = seen.facts.places.filter(
      ({ organizationId, warehouseId }) => ownerOf(seen, warehouseId) === organizationId,
    );
    const place = nth(owned, which);
    if (place === undefined) return undefined;
    return {
      party: seen.world.parties.find((party) => party.organizationId === place.organizationId)!,
      path: `/warehouses/${place.warehouseId}/locations/${place.id}`,
      body: change,
      may: ['in_use', 'archived'],
    };
  },
});

/** Of the warehouses that the simulation made. */
function ownerOf({ facts, world }: Seen, warehouseId: string): string | undefined {
  if (!world.warehouseIds.includes(warehouseId)) return undefined;
  return facts.warehouses.find(({ id }) => id === warehouseId)?.ownerId;
}

const changeVariant = command({
  name: 'change a variant',
  weight: 2,
  data: fc.record({
    who: n,
    variant: n,
    change: fc.oneof(
      fc.record({ inventoryPolicy: fc.constantFrom('deny', 'continue') }),
      fc.record({ inventoryAllocationStrategy: fc.constantFrom('FIFO', 'FEFO', 'LIFO') }),
    ),
  }),
  ask: ({ who, variant: which, change }, seen): Asked | undefined => {
    const party = partyOf(seen, who);
    const variant = nth(variantsOf(seen, party), which);
    if (variant === undefined) return undefined;
    return { party, path: `/products/${variant.productId}/variants/${variant.id}`, body: change, may: [] };
  },
});

const archiveProduct = command({
  name: 'archive or restore a product',
  weight: 1,
  data: fc.record({ who: n, variant: n }),
  ask: ({ who, variant: which }, seen): Asked | undefined => {
    const party = partyOf(seen, who);
    const all = variantsOf(seen, party);
    const variant = all.find(({ archived }) => archived) ?? nth(all, which);
    if (variant === undefined) return undefined;
    const path = `/products/${variant.productId}`;
    if (variant.archived) return { party, path: `${path}/restore`, may: [] };
    return { party, method: 'DELETE', path, may: [] };
  },
});

/** Those without stock come first, as the others cannot be archived or taken from anybody. */
function ownWarehouses({ facts, world }: Seen): Warehouse[] {
  const used = new Set(
    facts.levels.filter(({ onHand, committed }) => onHand + committed > 0).map((l) => l.warehouseId),
  );
  return facts.warehouses
    .filter((one) => one.ownerId === one.organizationId && world.warehouseIds.includes(one.id))
    .toSorted((a, b) => Number(used.has(a.id)) - Number(used.has(b.id)));
}

const changeWarehouse = command({
  name: 'change a warehouse',
  weight: 4,
  data: fc.record({
    warehouse: fc.oneof(fc.constant(0), n),
    change: fc.oneof(
      fc.record({ archived: fc.boolean() }),
      fc.record({ sharedWithChildren: fc.boolean() }),
      fc.record({ priority: fc.integer({ min: 1, max: 9 }) }),
    ),
  }),
  ask: ({ warehouse: which, change }, seen): Asked | undefined => {
    const warehouse = nth(ownWarehouses(seen), which);
    if (warehouse === undefined) return undefined;
    return {
      party: seen.world.parties.find((party) => party.organizationId === warehouse.organizationId)!,
      path: `/warehouses/${warehouse.id}`,
      body: change,
      may: ['in_use'],
    };
  },
});

const changeAllocation = command({
  name: 'change how orders are served',
  weight: 1,
  data: fc.record({ who: n, allocation: fc.constantFrom('split', 'whole') }),
  ask: ({ who, allocation }, seen): Asked | undefined => {
    const party = partyOf(seen, who);
    return party.own ? { party, path: '/organization', body: { allocation }, may: [] } : undefined;
  },
});

export const settingCommands: Command[] = [
  setSafetyStock,
  changePlace,
  changeVariant,
  archiveProduct,
  changeWarehouse,
  changeAllocation,
];
