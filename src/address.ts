// The one form in which addresses are stored and answered: all fourteen fields, null where unset.
import { Address, type AddressInput } from './http/schemas.ts';

const parts = Object.keys(Address.properties) as (keyof Address)[];

export function address(input: AddressInput): Address {
  const complete = Object.fromEntries(parts.map((part) => [part, input[part] ?? null])) as Address;
  return { ...complete, country: complete.country?.toUpperCase() ?? null };
}
