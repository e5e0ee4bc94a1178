// SQL that finds, over all organisations, the shipments that something is owed to.
import { type Database, sql } from '../database/connect.ts';
import * as limits from '../limits.ts';

export interface DueShipment {
  organizationId: string;
  id: string;
  /** Its purchase is open; else its void. */
  buys: boolean;
}

/** Purchases and voids that somebody began and nobody works on. */
export function findDueShipments(database: Database, now: Date, limit: number): Promise<DueShipment[]> {
  return database.query<DueShipment>(sql`
    select organization_id as "organizationId", id, purchase_status in ('pending', 'unknown') as buys
    from shipments where next_attempt_at <= ${now} order by next_attempt_at limit ${limit}`);
}

export interface DueTracker {
  organizationId: string;
  id: string;
  carrierAccountId: string;
}

/** Parcels whose carrier is to be asked; nobody else asks for them for a while, and a failure is asked again then. */
export async function claimDueTrackers(database: Database, now: Date, limit: number): Promise<DueTracker[]> {
  const due = await database.query<DueTracker>(sql`
    select organization_id as "organizationId", id, carrier_account_id as "carrierAccountId"
    from shipments where next_track_at <= ${now} order by next_track_at limit ${limit}`);
  const next = new Date(now.getTime() + limits.trackRetryMs);
  const claims = due.map(async (one) => {
    const claimed = await database.query(sql`
      update shipments set next_track_at = ${next}
      where organization_id = ${one.organizationId} and id = ${one.id} and next_track_at <= ${now} returning 1`);
    return claimed.length > 0 ? [one] : [];
  });
  return (await Promise.all(claims)).flat();
}
