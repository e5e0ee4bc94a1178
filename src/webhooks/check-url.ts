// Which URLs an endpoint may have; what its name resolves to is judged when it is connected to.
import { type Issue, invalid } from '../errors.ts';
import { addressOfHost, isPublicAddress } from '../public-address.ts';

/** @throws 400 naming /url */
export function checkUrl(text: string, allowPrivate: boolean): void {
  const message = wrongUrl(new URL(text), allowPrivate);
  if (message === undefined) return;
  const issue: Issue = { path: '/url', code: 'not_allowed', message };
  throw invalid([issue]);
}

function wrongUrl(url: URL, allowPrivate: boolean): string | undefined {
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.hash !== '') return 'must not have a fragment';
  if (allowPrivate) return undefined;
  if (url.protocol !== 'https:') return 'must be https';
  const address = addressOfHost(url.hostname);
  if (address !== undefined && !isPublicAddress(address)) return 'must be at a public address';
  return undefined;
}
