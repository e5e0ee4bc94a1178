// Gives an account prices from a day on; cards that are there already are never changed.
import { checkRateCard } from '../carriers/rate-card/check-card.ts';
import { readRateCard } from '../carriers/rate-card/read-rate-card.ts';
import type { RateCard } from '../carriers/rate-card/schema.ts';
import { newId } from '../database/ids.ts';
import { ApiError, type Issue, invalid } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Found } from '../http/envelope.ts';
import { findRateCard, insertRateCard } from './queries-rate-cards.ts';
import type { CreateRateCardBody } from './schema.ts';
import { holdCarrierAccount } from './sharing.ts';

/** @throws 400 naming every bad row, 404, 409 shared_carrier_account, 409 for another kind, 409 rate_card_taken */
export function createRateCard(
  write: Write,
  carrierAccountId: string,
  body: CreateRateCardBody,
): Promise<Found> {
  return addRateCard(write, carrierAccountId, cardOf(body));
}

/** The same with a card that was read already. */
export async function addRateCard(write: Write, carrierAccountId: string, card: RateCard): Promise<Found> {
  const { account } = await holdCarrierAccount(write, carrierAccountId);
  if (account.kind !== 'rate-card') {
    throw new ApiError('conflict', { message: `An account of kind ${account.kind} has no rate cards` });
  }
  const id = newId();
  insertRateCard(write, carrierAccountId, id, card);
  return (await findRateCard(write.transaction, write.scope.organizationId, carrierAccountId, id))!;
}

function cardOf({ csv, ...document }: CreateRateCardBody): RateCard {
  if (csv === undefined) {
    const checked = checkRateCard(document);
    if ('issues' in checked) throw invalid(checked.issues);
    return checked.card;
  }
  const others = Object.keys(document);
  if (others.length > 0) {
    throw invalid(
      others.map((name) => ({ path: `/${name}`, code: 'not_allowed', message: 'is in the csv' })),
    );
  }
  const read = readRateCard(csv, 'csv');
  if ('card' in read) return read.card;
  throw invalid(
    read.issues.map(({ line, path, code, message }): Issue => {
      const place = [...(line === null ? [] : [`line ${line}`]), ...(path === '' ? [] : [path])];
      return { path: '/csv', code, message: [...place, message].join(': ') };
    }),
  );
}
