// The endpoints of carrier accounts.
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import * as limits from '../limits.ts';
import { type AccountRules, createCarrierAccount } from './create-carrier-account.ts';
import { findCarrierAccount, listCarrierAccounts } from './queries.ts';
import {
  CarrierAccount,
  CreateCarrierAccountBody,
  ListCarrierAccountsQuery,
  UpdateCarrierAccountBody,
} from './schema.ts';
import { updateCarrierAccount } from './update-carrier-account.ts';

const kind = 'carrier-account';
const ids = { carrierAccountId: 'carrier account' };

export function carrierAccountRoutes(api: Api, rules: AccountRules): void {
  api.get(
    '/carrier-accounts',
    {
      operationId: 'listCarrierAccounts',
      permission: 'shipments:read',
      summary: 'List carrier accounts',
      description: 'Those that a parent shares included. `search` matches description and carrier code.',
      query: ListCarrierAccountsQuery,
      response: listOf(CarrierAccount),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) =>
      list(await listCarrierAccounts(database, scope.organizationId, query)),
  );
  api.post(
    '/carrier-accounts',
    {
      operationId: 'createCarrierAccount',
      permission: 'shipments:write',
      summary: 'Create a carrier account',
      description:
        'Through which labels are bought. An account of kind `rate-card` has no rates until it has a card that is in force: `rateCard`, or later `POST /carrier-accounts/{carrierAccountId}/rate-cards`. Code and kind never change.',
      body: CreateCarrierAccountBody,
      bodyLimit: limits.rateCardBodyBytes,
      response: singleOf(kind, CarrierAccount),
      errors: ['too_many_carrier_accounts'],
    },
    async (write) => single(kind, await createCarrierAccount(write, write.body, rules)),
  );
  api.get(
    '/carrier-accounts/{carrierAccountId}',
    {
      operationId: 'getCarrierAccount',
      permission: 'shipments:read',
      summary: 'Get a carrier account',
      ids,
      response: singleOf(kind, CarrierAccount),
    },
    async ({ database, scope, ids: { carrierAccountId } }) => {
      const found = await findCarrierAccount(database, scope.organizationId, carrierAccountId!);
      if (found === undefined) throw notFound(ids.carrierAccountId);
      return single(kind, found);
    },
  );
  api.post(
    '/carrier-accounts/{carrierAccountId}',
    {
      operationId: 'updateCarrierAccount',
      permission: 'shipments:write',
      summary: 'Update a carrier account',
      description:
        'Changes what the body names; `settings` and `credentials` are replaced as a whole. Labels that were bought through it can still be voided and tracked when it is disabled or archived, or no longer shared.',
      ids,
      body: UpdateCarrierAccountBody,
      response: singleOf(kind, CarrierAccount),
      errors: ['shared_carrier_account', 'too_many_carrier_accounts'],
    },
    async (write) =>
      single(kind, await updateCarrierAccount(write, write.ids['carrierAccountId']!, write.body, rules)),
  );
}
