// `waybill org create|list`: the organisations of this installation.
import { Command } from 'commander';
import { withDatabase } from './with-database.ts';

interface CreateOptions {
  slug: string;
  name?: string;
  parent?: string;
  json?: boolean;
}

export function orgCommand(): Command {
  const org = new Command('org').description('make and list organizations');
  org
    .command('create')
    .description('make an organization, or a client of one')
    .requiredOption('--slug <slug>', 'lower-case letters, digits and hyphens')
    .option('--name <name>', 'its name (default: the slug)')
    .option('--parent <org>', 'the organization whose client it is')
    .option('--json', 'print the record as JSON')
    .action(create);
  org
    .command('list')
    .description('list organizations, each with its clients')
    .option('--json', 'print the records as JSON')
    .action(list);
  return org;
}

async function create({ slug, name = slug, parent, json }: CreateOptions): Promise<void> {
  const [{ createOrganization }, { CreateClientBody }, { checkInput }, organization] = await Promise.all([
    import('../organizations/create-organization.ts'),
    import('../organizations/schema.ts'),
    import('./check-input.ts'),
    import('./organization.ts'),
  ]);
  checkInput(CreateClientBody, { slug, name });
  await withDatabase(async ({ database }, { environment }) => {
    const parentId =
      parent === undefined ? undefined : (await organization.findOrganization(database, parent)).id;
    const id = await database.transaction((transaction) =>
      createOrganization(
        { transaction, now: new Date() },
        { slug, name, ...(parentId === undefined ? {} : { parentId }) },
        environment,
      ),
    );
    const made = await organization.findOrganization(database, id);
    console.log(json ? JSON.stringify(made) : `made ${organization.pathOf(made)} (${id})`);
  });
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const [{ listOrganizations }, { pathOf }] = await Promise.all([
    import('../organizations/queries.ts'),
    import('./organization.ts'),
  ]);
  await withDatabase(async ({ database }) => {
    const all = await listOrganizations(database);
    if (json) return console.log(JSON.stringify(all));
    for (const each of all) console.log([pathOf(each), each.id, each.name].join('\t'));
  });
}
