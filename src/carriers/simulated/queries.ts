// SQL of what simulated carriers remember. Each statement stands alone, as a call to somebody outside would.
import { type Executor, sql } from '../../database/connect.ts';
import type { CarrierAccount } from '../carrier.ts';

type Account = Pick<CarrierAccount, 'id' | 'ownerOrganizationId'>;

export interface SimulatedLabel {
  id: string;
  trackingCodes: string[];
  boughtAt: Date;
  voidedAt: Date | null;
}

const columns = sql`id, tracking_codes as "trackingCodes", bought_at as "boughtAt", voided_at as "voidedAt"`;

export async function insertSimulatedLabel(
  database: Executor,
  account: Account,
  label: { id: string; reference: string; trackingCodes: string[]; charged: string; boughtAt: Date },
): Promise<void> {
  await database.query(sql`
    insert into simulated_labels (organization_id, carrier_account_id, id, reference, tracking_codes, charged, bought_at)
    values (${account.ownerOrganizationId}, ${account.id}, ${label.id}, ${label.reference},
      ${label.trackingCodes}, ${label.charged}, ${label.boughtAt})`);
}

/** The first one that was bought under a reference and is not voided; else the first of all. */
export async function findSimulatedLabel(
  database: Executor,
  account: Account,
  reference: string,
): Promise<SimulatedLabel | undefined> {
  const [label] = await database.query<SimulatedLabel>(sql`
    select ${columns} from simulated_labels
    where organization_id = ${account.ownerOrganizationId} and reference = ${reference}
      and carrier_account_id = ${account.id}
    order by voided_at is not null, bought_at, id limit 1`);
  return label;
}

export async function readSimulatedLabel(
  database: Executor,
  account: Account,
  id: string,
): Promise<SimulatedLabel | undefined> {
  const [label] = await database.query<SimulatedLabel>(sql`
    select ${columns} from simulated_labels
    where organization_id = ${account.ownerOrganizationId} and id = ${id} and carrier_account_id = ${account.id}`);
  return label;
}

/** Sets when a label was voided, unless it was already; returns when. */
export async function voidSimulatedLabel(
  database: Executor,
  account: Account,
  id: string,
  now: Date,
): Promise<Date | undefined> {
  const [row] = await database.query<{ voidedAt: Date }>(sql`
    update simulated_labels set voided_at = coalesce(voided_at, ${now})
    where organization_id = ${account.ownerOrganizationId} and id = ${id} and carrier_account_id = ${account.id}
    returning voided_at as "voidedAt"`);
  return row?.voidedAt;
}
