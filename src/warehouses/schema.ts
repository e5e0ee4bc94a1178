// Warehouses and the locations in them on the wire.
import {
  AddressInput,
  AddressReference,
  DateTime,
  defaulted,
  Id,
  listQuery,
  Metadata,
  nullable,
  object,
  oneOf,
  requiredText,
  type Static,
  Type,
} from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { locationTypes } from './location-type.ts';

const rank = (description: string) =>
  Type.Integer({ minimum: -limits.rankMax, maximum: limits.rankMax, description });
const priority = rank('Orders take stock from the lowest first; 100 when left out');
const sequence = rank('Picks go through the locations in this order, lowest first; 0 when left out');
const warehouseName = requiredText(limits.nameLengthMax, { examples: ['Reno'] });
const isThirdParty = Type.Boolean({ description: 'Somebody else runs it' });
const sharedWithChildren = Type.Boolean({
  description:
    'Every client organization, also one made later, sees the warehouse and its locations under the same ids and may keep stock in it; its stock stays its own, and only the owner changes the warehouse.',
});
const archived = Type.Boolean({ description: '`true` archives, `false` brings back' });
const owner = { ...Id, description: 'The organization that owns it: the parent, where it is shared' };

export const Warehouse = object({
  id: Id,
  organizationId: owner,
  name: Type.String(),
  addressId: Id,
  address: nullable(AddressReference),
  priority,
  isThirdParty,
  sharedWithChildren,
  metadata: Metadata,
  createdAt: DateTime,
  updatedAt: DateTime,
  archivedAt: nullable(DateTime),
});

const warehouseFields = {
  address: Type.Optional(nullable(AddressInput)),
  priority: Type.Optional(priority),
  isThirdParty: Type.Optional(isThirdParty),
  sharedWithChildren: Type.Optional(sharedWithChildren),
  metadata: Type.Optional(Metadata),
};

export const CreateWarehouseBody = object(
  { name: warehouseName, ...warehouseFields },
  {
    examples: [
      {
        name: 'Reno',
        address: { street1: '1 Mill St', city: 'Reno', state: 'NV', country: 'US' },
        priority: 10,
      },
    ],
  },
);
export type CreateWarehouseBody = Static<typeof CreateWarehouseBody>;

export const UpdateWarehouseBody = object(
  { name: Type.Optional(warehouseName), ...warehouseFields, archived: Type.Optional(archived) },
  { examples: [{ priority: 5, sharedWithChildren: true }] },
);
export type UpdateWarehouseBody = Static<typeof UpdateWarehouseBody>;

const includeArchived = { includeArchived: defaulted(Type.Boolean({ default: false })) };

export const warehouseSorts = ['createdAt', 'updatedAt', 'name', 'priority'] as const;
export const ListWarehousesQuery = listQuery(warehouseSorts, includeArchived);
export type ListWarehousesQuery = Static<typeof ListWarehousesQuery>;

const locationName = requiredText(limits.nameLengthMax, {
  description: 'Unique in the warehouse',
  examples: ['A-01-01'],
});
const type = oneOf(locationTypes, {
  description: 'Units at `damaged` and `quality-control` locations are counted as such; `bin` when left out',
});
const pickable = Type.Boolean({
  description:
    'Whether orders are picked from here; units elsewhere are not available. When left out: not for `staging`, `returns`, `quality-control` and `damaged`',
});

export const WarehouseLocation = object({
  id: Id,
  organizationId: owner,
  warehouseId: Id,
  name: Type.String(),
  type,
  pickable,
  sequence,
  createdAt: DateTime,
  updatedAt: DateTime,
  archivedAt: nullable(DateTime),
});

const locationFields = {
  type: Type.Optional(type),
  pickable: Type.Optional(pickable),
  sequence: Type.Optional(sequence),
};

export const CreateWarehouseLocationBody = object(
  { name: locationName, ...locationFields },
  { examples: [{ name: 'A-01-01', type: 'bin', sequence: 10 }] },
);
export type CreateWarehouseLocationBody = Static<typeof CreateWarehouseLocationBody>;

export const UpdateWarehouseLocationBody = object(
  { name: Type.Optional(locationName), ...locationFields, archived: Type.Optional(archived) },
  { examples: [{ pickable: false }] },
);
export type UpdateWarehouseLocationBody = Static<typeof UpdateWarehouseLocationBody>;

export const locationSorts = ['createdAt', 'updatedAt', 'name', 'sequence'] as const;
export const ListWarehouseLocationsQuery = listQuery(locationSorts, includeArchived);
export type ListWarehouseLocationsQuery = Static<typeof ListWarehouseLocationsQuery>;
