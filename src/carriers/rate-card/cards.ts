// The rate cards of accounts as a process keeps them: a card never changes, so it is read once.
import type { Database } from '../../database/connect.ts';
import * as limits from '../../limits.ts';
import type { CarrierAccount } from '../carrier.ts';
import { dayOf } from './delivery-date.ts';
import { findRateCardId, readRateCardOf } from './queries.ts';
import type { RateCard } from './schema.ts';

/** Finds the card of an account that is in force on the day of a date, in UTC. */
export type FindCard = (account: CarrierAccount, date: Date) => Promise<RateCard | undefined>;

export function makeFindCard(database: Database): FindCard {
  const kept = new Map<string, RateCard>();
  return async (account, date) => {
    const id = await findRateCardId(database, account, dayOf(date));
    if (id === undefined) return undefined;
    const card = kept.get(id) ?? (await readRateCardOf(database, account, id));
    // What was asked for last stands last, and the first goes.
    kept.delete(id);
    kept.set(id, card);
    if (kept.size > limits.rateCardsKept) kept.delete(kept.keys().next().value!);
    return card;
  };
}
