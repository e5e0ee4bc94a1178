// `waybill key create|list|revoke`: the API keys of an organisation.
import { Command, InvalidArgumentError } from 'commander';
import { withDatabase } from './with-database.ts';

interface CreateOptions {
  org: string;
  name: string;
  permissions: string[];
  userName?: string;
  userEmail?: string;
  expiresAt?: string;
  rateLimit?: number;
  json?: boolean;
}

interface ApiKeyRecord {
  id: string;
  name: string;
  prefix: string;
  lastFour: string;
  permissions: string[];
  revokedAt: string | null;
}

const orgOption = ['--org <org>', 'slug of the organization; parent/client for a client'] as const;

export function keyCommand(): Command {
  const key = new Command('key').description('make, list and revoke API keys');
  key
    .command('create')
    .description('make an API key and print it; it is shown this once')
    .requiredOption(...orgOption)
    .requiredOption('--name <name>', 'what the key is for')
    .option('--permissions <list>', 'all, or for example orders:write,products:read', commaSeparated, ['all'])
    .option('--user-name <name>', 'the person who acts with it: the author of notes')
    .option('--user-email <address>', 'keys with the same address belong to the same person')
    .option('--expires-at <time>', 'for example 2030-01-31T00:00:00Z (default: never)')
    .option('--rate-limit <number>', 'requests a second (default: WAYBILL_RATE_LIMIT)', positive)
    .option('--json', 'print the record, with the key, as JSON')
    .action(create);
  key
    .command('list')
    .description('list the API keys of an organization')
    .requiredOption(...orgOption)
    .option('--json', 'print the records as JSON')
    .action(list);
  key
    .command('revoke')
    .description('revoke an API key for good')
    .argument('<id>', 'id of the key (waybill key list)')
    .requiredOption(...orgOption)
    .action(revoke);
  return key;
}

function commaSeparated(text: string): string[] {
  return text.split(',').map((each) => each.trim());
}

function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a positive whole number.');
  return Number(text);
}

async function create({ org, json, rateLimit, ...body }: CreateOptions): Promise<void> {
  const [{ createApiKey }, { CreateApiKeyBody }, { checkInput }, { findOrganization, commandWrite }] =
    await Promise.all([
      import('../organizations/create-api-key.ts'),
      import('../organizations/schema.ts'),
      import('./check-input.ts'),
      import('./organization.ts'),
    ]);
  checkInput(CreateApiKeyBody, body);
  // Each permission was checked just now.
  const checked = body as typeof body & { permissions: 'all'[] };
  await withDatabase(async ({ database }, { environment }) => {
    const { id } = await findOrganization(database, org);
    const { found, key } = await database.transaction((transaction) =>
      createApiKey(
        commandWrite(transaction, id),
        { ...checked, ...(rateLimit === undefined ? {} : { rateLimit }) },
        environment,
      ),
    );
    console.log(json ? JSON.stringify({ ...JSON.parse(found.json), key }) : key);
  });
}

async function list({ org, json }: { org: string; json?: boolean }): Promise<void> {
  const [{ listApiKeys }, { findOrganization }] = await Promise.all([
    import('../organizations/queries-keys.ts'),
    import('./organization.ts'),
  ]);
  await withDatabase(async ({ database }) => {
    const { id } = await findOrganization(database, org);
    const query = { limit: 1_000_000, page: 1, sortBy: 'createdAt', sortOrder: 'asc' } as const;
    const { items } = await listApiKeys(database, id, query);
    if (json) return console.log(`[${items.join(',')}]`);
    for (const key of items.map((item) => JSON.parse(item) as ApiKeyRecord)) {
      const state = key.revokedAt === null ? '' : 'revoked';
      const shown = `${key.prefix}…${key.lastFour}`;
      console.log([key.id, shown, key.name, key.permissions.join(','), state].join('\t').trimEnd());
    }
  });
}

async function revoke(keyId: string, { org }: { org: string }): Promise<void> {
  const [{ revokeApiKey }, { isId }, { findOrganization, commandWrite }, { notFound }] = await Promise.all([
    import('../organizations/revoke-api-key.ts'),
    import('../database/ids.ts'),
    import('./organization.ts'),
    import('../errors.ts'),
  ]);
  if (!isId(keyId)) throw notFound('API key');
  await withDatabase(async ({ database }) => {
    const { id } = await findOrganization(database, org);
    await database.transaction((transaction) => revokeApiKey(commandWrite(transaction, id), keyId));
    console.log(`revoked ${keyId}`);
  });
}
