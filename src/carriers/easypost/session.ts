// One account's conversation with EasyPost: its key and the caller's time limit are part of every call.
import * as limits from '../../limits.ts';
import type { CarrierAccount } from '../carrier.ts';
import { readShipment, type Shipment } from './responses.ts';
import { apiKeyOf } from './settings.ts';
import type { Call, Transport } from './transport.ts';

export interface Session {
  account: CarrierAccount;
  call(call: Call): Promise<unknown>;
  download(url: string): Promise<Buffer>;
  signal: AbortSignal;
}

/** @throws CarrierError carrier_credentials where the account has no key */
export function makeSession(transport: Transport, account: CarrierAccount, signal: AbortSignal): Session {
  const apiKey = apiKeyOf(account);
  return {
    account,
    call: (call) => transport.call(apiKey, call, signal),
    download: (url) => transport.download(url, signal),
    signal,
  };
}

export async function getShipment(session: Session, id: string): Promise<Shipment> {
  return readShipment(await session.call({ method: 'GET', path: `/shipments/${id}`, effect: 'again' }));
}

/** The results in order; a few at a time. The first failure ends it. */
export async function forEach<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += limits.easypostAtOnce) {
    results.push(...(await Promise.all(items.slice(at, at + limits.easypostAtOnce).map(work))));
  }
  return results;
}
