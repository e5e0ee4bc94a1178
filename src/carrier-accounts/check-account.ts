// What each kind of account can be told: strict schemas of settings and credentials, every wrong field named.
import type { CarrierKind } from '../carriers/carrier.ts';
import { EasyPostCredentials, EasyPostSettings } from '../carriers/easypost/settings.ts';
import { exampleCarriers } from '../carriers/rate-card/example-cards.ts';
import { SimulatedSettings } from '../carriers/simulated/settings.ts';
import type { Issue } from '../errors.ts';
import { object, type TSchema } from '../http/schemas.ts';
import { validator } from '../http/validate.ts';

type Check = (value: unknown) => Issue[];

const nothing = object({});
const checks: Record<CarrierKind, Record<'settings' | 'credentials', Check>> = {
  'rate-card': checksOf(nothing, nothing),
  easypost: checksOf(EasyPostSettings, EasyPostCredentials),
  simulated: checksOf(SimulatedSettings, nothing),
};

function checksOf(settings: TSchema, credentials: TSchema): Record<'settings' | 'credentials', Check> {
  return { settings: validator(settings, 'body'), credentials: validator(credentials, 'body') };
}

/** What is wrong with the parts that are given, with their paths in the body. */
export function issuesOfAccount(
  kind: CarrierKind,
  given: { settings?: unknown; credentials?: unknown },
): Issue[] {
  return (['settings', 'credentials'] as const).flatMap((part) =>
    given[part] === undefined || given[part] === null
      ? []
      : checks[kind][part](given[part]).map((issue) => ({ ...issue, path: `/${part}${issue.path}` })),
  );
}

/** Simulated carriers have prices of their own. */
export function issuesOfCode(kind: CarrierKind, carrierCode: string): Issue[] {
  if (kind !== 'simulated' || exampleCarriers.some((code) => code === carrierCode)) return [];
  const message = `must be one of: ${exampleCarriers.join(', ')}`;
  return [{ path: '/carrierCode', code: 'not_allowed', message }];
}
