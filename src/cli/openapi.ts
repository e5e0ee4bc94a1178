// `waybill openapi`: prints the document that describes the API. Needs no database.
import { Command } from 'commander';

export function openapiCommand(): Command {
  return new Command('openapi').description('print the OpenAPI document').action(async () => {
    const [{ buildApp }, { readConfig }, { connect }] = await Promise.all([
      import('../app.ts'),
      import('../config.ts'),
      import('../database/connect.ts'),
    ]);
    // The pool connects at the first statement, and there is none.
    const database = connect('postgres://nobody@localhost/none');
    const config = { ...readConfig({}), logLevel: 'silent', secret: 'x'.repeat(32) };
    const app = await buildApp({ database, config });
    await app.ready();
    process.stdout.write(`${JSON.stringify(app.swagger(), null, 2)}\n`);
    await app.close();
    await database.close();
  });
}
