// Where the units of a receipt go: the locations that its lines name or leave to the warehouse.
import type { Issue } from '../errors.ts';
import type { Write } from '../http/api.ts';
import { findDefaultLocations, findReceivingLocations, type ReceivingLocation } from './queries-lines.ts';
import type { Disposition, ReceiveReturnOrderBody } from './schema.ts';

export interface Place {
  warehouseId: string;
  warehouseLocationId: string;
}

/** A place for each line, in order; null for what is discarded and put nowhere, and where an issue says why. */
export async function findPlaces(
  write: Write,
  { warehouseId, lineItems }: ReceiveReturnOrderBody,
): Promise<{ places: (Place | null)[]; issues: Issue[] }> {
  const named = lineItems.map((line) => line.warehouseLocationId?.toLowerCase() ?? null);
  const ids = [...new Set(named.filter((id) => id !== null))];
  const locations = ids.length === 0 ? new Map() : await findReceivingLocations(write, ids);
  const issues: Issue[] = [];
  const defaults = await defaultPlaces(write, warehouseId?.toLowerCase(), [...locations.values()], issues);
  const places = lineItems.map(({ disposition }, index) => {
    const id = named[index];
    const issue = (code: string, message: string) => {
      issues.push({ path: `/lineItems/${index}/warehouseLocationId`, code, message });
      return null;
    };
    if (id == null) {
      if (disposition === 'discard') return null;
      return defaults(disposition) ?? issue('required', required[disposition]);
    }
    const location: ReceivingLocation | undefined = locations.get(id);
    if (location === undefined) return issue('not_found', 'is no location');
    if (!fits(disposition, location.type)) {
      return issue(
        'not_allowed',
        `is a location of type ${location.type}: ${disposition} units go elsewhere`,
      );
    }
    return { warehouseId: location.warehouseId, warehouseLocationId: id };
  });
  return { places, issues };
}

const required = {
  restock: 'must say where the units are put',
  damaged: 'is required: no warehouse is named, or it has no location of type damaged',
  'quality-control': 'is required: no warehouse is named, or it has no location of type quality-control',
};

function fits(disposition: Disposition, type: string): boolean {
  if (disposition === 'discard') return true;
  if (disposition === 'restock') return type !== 'damaged' && type !== 'quality-control';
  return type === disposition;
}

/** The warehouse that is named, or the only one that the named locations are in, has a place for either kind. */
async function defaultPlaces(
  write: Write,
  named: string | undefined,
  locations: readonly ReceivingLocation[],
  issues: Issue[],
): Promise<(disposition: Disposition) => Place | undefined> {
  const others = new Set(locations.map((location) => location.warehouseId));
  const warehouseId = named ?? (others.size === 1 ? [...others][0] : undefined);
  if (warehouseId === undefined) return () => undefined;
  const defaults = await findDefaultLocations(write, warehouseId);
  if (defaults === undefined) {
    issues.push({ path: '/warehouseId', code: 'not_found', message: 'is no warehouse' });
  }
  return (disposition) => {
    if (disposition !== 'damaged' && disposition !== 'quality-control') return undefined;
    const warehouseLocationId = defaults?.[disposition] ?? undefined;
    return warehouseLocationId === undefined ? undefined : { warehouseId, warehouseLocationId };
  };
}
