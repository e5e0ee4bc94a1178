// Text that came from outside, without the credentials that it may repeat.
import type { CarrierAccount } from './carrier.ts';

const shortest = 4;

/** A carrier that says "invalid key sk_123" says "invalid key ***". */
export function withoutSecrets(account: CarrierAccount, text: string): string {
  let credentials: Readonly<Record<string, string>>;
  try {
    credentials = account.credentials;
  } catch {
    // They cannot be opened, so nobody was told them.
    return text;
  }
  return Object.values(credentials)
    .filter((value) => value.length >= shortest)
    .reduce((cleaned, value) => cleaned.replaceAll(value, '***'), text);
}
