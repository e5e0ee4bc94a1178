// Imports a rate card: the whole file is one, and one that is there already with the same content is left as it is.
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { addRateCard } from '../../carrier-accounts/create-rate-card.ts';
import { findRateCardFrom } from '../../carrier-accounts/queries-rate-cards.ts';
import { readRateCard } from '../../carriers/rate-card/read-rate-card.ts';
import type { Database } from '../../database/connect.ts';
import { isId } from '../../database/ids.ts';
import { apiErrorOf } from '../../http/error-handler.ts';
import * as limits from '../../limits.ts';
import { StartError } from '../../start-error.ts';
import { commandWrite } from '../organization.ts';
import type { Summary } from './import-file.ts';
import { openFile } from './open-file.ts';
import type { Progress } from './progress.ts';
import { Undone } from './write-each.ts';

export interface RateCardImport {
  database: Database;
  organizationId: string;
  /** The carrier account's id. */
  account: string;
  file: string;
  dryRun?: boolean;
}

/** Says on `progress` what is wrong with the card, line by line. */
export async function importRateCard(given: RateCardImport, progress: Progress): Promise<Summary> {
  const { database, organizationId, account, file, dryRun = false } = given;
  if (!isId(account)) throw new StartError(`--account must be the id of a carrier account, not ${account}`);
  const text = await readWhole(file, progress);
  const read = readRateCard(text, /\.json(\.gz)?$/i.test(file) ? 'json' : 'csv');
  if ('issues' in read) {
    for (const { line, path, message } of read.issues) {
      const place = line === null ? basename(file) : `${basename(file)}:${line}`;
      progress.say([place, path, message].filter((part) => part !== '').join(': '));
    }
    return { made: 0, there: 0, failed: 1 };
  }
  const { card } = read;
  const present = await findRateCardFrom(database, organizationId, account, card.effectiveFrom);
  if (isDeepStrictEqual(present, JSON.parse(JSON.stringify(card)))) return { made: 0, there: 1, failed: 0 };
  try {
    await database.transaction(async (transaction) => {
      await addRateCard(commandWrite(transaction, organizationId), account, card);
      if (dryRun) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) {
      const failure = apiErrorOf(error);
      if (failure.status >= 500) throw error;
      progress.say(`${basename(file)}: ${failure.message}`);
      return { made: 0, there: 0, failed: 1 };
    }
  }
  return { made: 1, there: 0, failed: 0 };
}

async function readWhole(file: string, progress: Progress): Promise<string> {
  const opened = await openFile(file);
  progress.start(opened.size);
  let text = '';
  for await (const chunk of opened.text) {
    text += chunk;
    // What a small file unpacks to may be large.
    if (text.length > limits.rateCardBytes) {
      throw new StartError(`${file} is longer than ${limits.rateCardBytes} bytes`);
    }
  }
  return text;
}
