// The endpoints of customers.
import { notFound } from '../errors.ts';
import type { Api } from '../http/api.ts';
import { list, single } from '../http/envelope.ts';
import { listOf, single as singleOf } from '../http/schemas.ts';
import { createCustomer } from './create-customer.ts';
import { findCustomer, listCustomers } from './queries.ts';
import { Customer, CustomerBody, ListCustomersQuery } from './schema.ts';
import { updateCustomer } from './update-customer.ts';

export function customerRoutes(api: Api): void {
  api.get(
    '/customers',
    {
      operationId: 'listCustomers',
      permission: 'orders:read',
      summary: 'List customers',
      description: '`search` matches name, email, phone and company.',
      query: ListCustomersQuery,
      response: listOf(Customer),
      errors: ['invalid_cursor'],
    },
    async ({ database, scope, query }) => list(await listCustomers(database, scope.organizationId, query)),
  );
  api.post(
    '/customers',
    {
      operationId: 'createCustomer',
      permission: 'orders:write',
      summary: 'Create a customer',
      body: CustomerBody,
      response: singleOf('customer', Customer),
    },
    async (write) => single('customer', await createCustomer(write, write.body)),
  );
  api.get(
    '/customers/{customerId}',
    {
      operationId: 'getCustomer',
      permission: 'orders:read',
      summary: 'Get a customer',
      ids: { customerId: 'customer' },
      response: singleOf('customer', Customer),
    },
    async ({ database, scope, ids }) => {
      const found = await findCustomer(database, scope.organizationId, ids['customerId']!);
      if (found === undefined) throw notFound('customer');
      return single('customer', found);
    },
  );
  api.post(
    '/customers/{customerId}',
    {
      operationId: 'updateCustomer',
      permission: 'orders:write',
      summary: 'Update a customer',
      ids: { customerId: 'customer' },
      body: CustomerBody,
      response: singleOf('customer', Customer),
    },
    async (write) => single('customer', await updateCustomer(write, write.ids['customerId']!, write.body)),
  );
}
