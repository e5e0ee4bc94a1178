// What can be seen of an address without asking anybody: parts that are missing, and parts that contradict each other.
import type { Address } from '../http/schemas.ts';
import { countryRules } from './country-rules.ts';
import { zipsOfState } from './us-zips.ts';

export interface AddressFault {
  part: keyof Address;
  code: 'required' | 'invalid_format' | 'not_allowed';
  /** Follows the part's name. */
  message: string;
}

/** What is wrong with it; whether anybody lives there is not asked. */
export function checkAddress(address: Address): AddressFault[] {
  const country = textOf(address.country);
  if (country === '') return [...missing(address, ['country', 'street1'])];
  const rule = countryRules.get(country);
  if (rule === undefined) {
    return [{ part: 'country', code: 'not_allowed', message: 'is no country of ISO 3166-1' }];
  }
  const faults = missing(address, rule.requires);
  const postalCode = textOf(address.postalCode);
  if (postalCode !== '' && rule.postalCode?.test(postalCode) === false) {
    const message = `does not have the form of a postal code of ${country}`;
    faults.push({ part: 'postalCode', code: 'invalid_format', message });
  } else if (country === 'US') {
    faults.push(...faultsOfState(address, postalCode));
  }
  return faults;
}

function textOf(part: string | null): string {
  return part?.trim().toUpperCase() ?? '';
}

function missing(address: Address, parts: readonly (keyof Address)[]): AddressFault[] {
  return parts
    .filter((part) => textOf(address[part] as string | null) === '')
    .map((part) => ({ part, code: 'required', message: 'is missing' }));
}

const forces = /^A[AEP]$/;
const postOffices = /^[AFD]PO$/;

/** State and ZIP code, and the armed forces, whose cities are post offices. */
function faultsOfState(address: Address, postalCode: string): AddressFault[] {
  const state = textOf(address.state);
  const city = textOf(address.city);
  if (state === '') return [];
  const zips = zipsOfState[state];
  if (zips === undefined) {
    return [{ part: 'state', code: 'not_allowed', message: 'is no state of the USA such as CA' }];
  }
  const faults: AddressFault[] = [];
  if (postalCode !== '' && !zips.test(postalCode)) {
    faults.push({ part: 'postalCode', code: 'not_allowed', message: `is not in ${state}` });
  }
  if (city !== '' && forces.test(state) !== postOffices.test(city)) {
    const message = forces.test(state)
      ? `must be APO, FPO or DPO in ${state}`
      : `of the armed forces is in AA, AE or AP, not in ${state}`;
    faults.push({ part: 'city', code: 'not_allowed', message });
  }
  return faults;
}
