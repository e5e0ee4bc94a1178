// Closes a day's parcels of one account into one manifest: here, or at the carrier that does it itself.
import { loadCarrierAccounts } from '../carrier-accounts/load-carrier-accounts.ts';
import { type CarrierAccount, CarrierError, type Label } from '../carriers/carrier.ts';
import { within } from '../carriers/within.ts';
import { withoutSecrets } from '../carriers/without-secrets.ts';
import { newId } from '../database/ids.ts';
import { takeName } from '../document-name.ts';
import { ApiError, invalid } from '../errors.ts';
import type { Steps, Write } from '../http/api.ts';
import { single } from '../http/envelope.ts';
import { claim, findStored, forgetIntent, keep, keepIntent, type Stored } from '../http/idempotency.ts';
import { type Sent, writeOf } from '../http/write.ts';
import * as limits from '../limits.ts';
import { leaseMs, type ShippingAccess } from '../shipments/access.ts';
import { readBought } from '../shipments/void-queries.ts';
import {
  claimManifest,
  closeManifest,
  failManifest,
  findManifest,
  findShipmentsOf,
  insertManifest,
  lockOpenParcels,
  lockPending,
} from './queries.ts';
import type { CreateManifestBody } from './schema.ts';

/** A request, or work that none asked for. */
type Asked = Pick<Steps, 'scope'> & Partial<Pick<Steps, 'idempotent'>>;

const dayMs = 86_400_000;

/** @throws 400; 409 nothing_to_close, purchase_running; 502 and 504 of the carrier */
export async function createManifest(
  access: ShippingAccess,
  steps: Steps,
  body: CreateManifestBody,
): Promise<Sent> {
  const { database, scope, idempotent } = steps;
  const stored = idempotent === undefined ? undefined : await findStored(database, idempotent);
  if (stored !== undefined) return goOn(access, steps, stored);
  if (body.shipmentIds !== undefined && body.date !== undefined) {
    throw invalid([{ path: '/date', code: 'not_allowed', message: 'goes without shipmentIds' }]);
  }
  const accountId = body.carrierAccountId.toLowerCase();
  const [account] = await loadCarrierAccounts(database, access.secrets, scope.organizationId, {
    ids: [accountId],
  });
  if (account === undefined) {
    throw invalid([{ path: '/carrierAccountId', code: 'not_found', message: 'is no carrier account' }]);
  }
  const closesItself = access.carriers[account.kind].manifest !== undefined;
  const acceptanceCode = await takeName(database, scope.organizationId, 'manifest', 'MAN-');
  const begun = await database.transaction(async (transaction): Promise<Stored> => {
    const write = writeOf(transaction, scope);
    const earlier = idempotent === undefined ? undefined : await claim(transaction, idempotent);
    if (earlier !== undefined) return earlier;
    const shipmentIds = await chooseParcels(write, accountId, body);
    const claimedUntil = closesItself ? new Date(write.now.getTime() + leaseMs(access.timing)) : null;
    const id = newId();
    insertManifest(write, { id, carrierAccountId: accountId, acceptanceCode, shipmentIds, claimedUntil });
    if (closesItself) {
      if (idempotent !== undefined) keepIntent(transaction, idempotent, id);
      return { body: id, intent: id };
    }
    const found = (await findManifest(transaction, access.links, scope.organizationId, id))!;
    const reply = single('manifest', found);
    if (idempotent !== undefined) keep(transaction, idempotent, reply);
    return reply;
  });
  if (begun.intent === undefined) return begun;
  await closeAtCarrier(access, steps, begun.intent, account);
  return finish(access, steps, begun.intent);
}

/** A repeat: the answer that was kept, or the manifest that was begun. */
async function goOn(access: ShippingAccess, steps: Steps, stored: Stored): Promise<Sent> {
  if (stored.intent === undefined) return { ...stored, replayed: true };
  await resumeManifest(access, steps, stored.intent);
  return finish(access, steps, stored.intent);
}

async function chooseParcels(
  write: Write,
  accountId: string,
  { shipmentIds, date }: CreateManifestBody,
): Promise<string[]> {
  const max = limits.manifestShipmentsMax;
  if (shipmentIds === undefined) {
    const from = date === undefined ? null : new Date(`${date}T00:00:00Z`);
    const to = from === null ? null : new Date(from.getTime() + dayMs);
    const all = await lockOpenParcels(write, accountId, { from, to }, max);
    if (all.length === 0) throw new ApiError('nothing_to_close');
    return all;
  }
  const ids = shipmentIds.map((id) => id.toLowerCase());
  const open = new Set(await lockOpenParcels(write, accountId, { ids }, max));
  const issues = ids.flatMap((id, index) =>
    open.has(id)
      ? []
      : [
          {
            path: `/shipmentIds/${index}`,
            code: 'not_allowed',
            message: 'is no parcel that was bought through this account, is not voided and is on no manifest',
          },
        ],
  );
  if (issues.length > 0) throw invalid(issues);
  return [...open];
}

/** Goes on with a manifest that somebody began to close and nobody works on. */
export async function resumeManifest(access: ShippingAccess, asked: Asked, id: string): Promise<void> {
  const { database, secrets, timing } = access;
  const { scope } = asked;
  const accountId = await database.transaction(async (transaction) => {
    const write = writeOf(transaction, scope);
    const row = await lockPending(write, id);
    if (row === undefined) return undefined;
    if (row.claimedUntil !== null && row.claimedUntil > write.now) throw new ApiError('purchase_running');
    claimManifest(write, id, new Date(write.now.getTime() + leaseMs(timing)));
    return row.carrierAccountId;
  });
  if (accountId === undefined) return;
  const [account] = await loadCarrierAccounts(database, secrets, scope.organizationId, { ids: [accountId] });
  await closeAtCarrier(access, asked, id, account!);
}

/** @throws 502, 504; an answer that was not heard is asked for again */
async function closeAtCarrier(
  access: ShippingAccess,
  { scope, idempotent }: Asked,
  id: string,
  account: CarrierAccount,
): Promise<void> {
  const { database, carriers, timing } = access;
  const labels: Label[] = [];
  for (const reference of await findShipmentsOf(database, scope.organizationId, id)) {
    labels.push({ reference, ...(await readBought(database, scope.organizationId, reference)) });
  }
  const settle = (work: (write: Write) => void) =>
    database.transaction(async (transaction) => {
      const write = writeOf(transaction, scope);
      if ((await lockPending(write, id)) !== undefined) work(write);
    });
  try {
    const closed = await within(timing.buyMs, 'unknown', (signal) =>
      carriers[account.kind].manifest!(account, labels, signal),
    );
    await settle((write) => closeManifest(write, id, closed));
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    const { failure, carrierErrorCode } = error;
    const words = withoutSecrets(account, error.carrierMessage ?? error.message);
    const details = { source: 'carrier', manifestId: id, carrierErrorCode, carrierMessage: words };
    if (error.bought === 'no') {
      await settle((write) => {
        failManifest(write, id, { code: failure, ...details });
        if (idempotent !== undefined) forgetIntent(write.transaction, idempotent);
      });
    } else {
      const later = new Date(Date.now() + timing.settleMs);
      await settle((write) => claimManifest(write, id, later));
    }
    throw new ApiError(failure, { details });
  }
}

async function finish(access: ShippingAccess, steps: Steps, id: string): Promise<Sent> {
  const { database, scope, idempotent } = steps;
  const reply = await database.transaction(async (transaction) => {
    const found = (await findManifest(transaction, access.links, scope.organizationId, id))!;
    const { status } = JSON.parse(found.json) as { status: string };
    if (status === 'failed') return undefined;
    const closed = single('manifest', found);
    if (idempotent !== undefined) keep(transaction, idempotent, closed);
    return closed;
  });
  if (reply === undefined) throw new ApiError('carrier_rejected', { details: { manifestId: id } });
  return reply;
}
