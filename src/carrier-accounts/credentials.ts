// Credentials of an account: encrypted, readable at the place alone that they were made for.
import type { Secrets } from '../secrets.ts';

export type Credentials = Readonly<Record<string, string>>;

const place = (ownerId: string, accountId: string) => `carrier-account:${ownerId}:${accountId}`;

export function sealCredentials(
  secrets: Secrets,
  ownerId: string,
  accountId: string,
  credentials: Credentials,
): Buffer {
  return secrets.seal(JSON.stringify(credentials), place(ownerId, accountId));
}

/** @throws where they were sealed under another WAYBILL_SECRET or for another account */
export function openCredentials(
  secrets: Secrets,
  ownerId: string,
  accountId: string,
  sealed: Buffer,
): Credentials {
  return JSON.parse(secrets.open(sealed, place(ownerId, accountId))) as Credentials;
}
