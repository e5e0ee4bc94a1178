// Creates a quote: asks every account outside of a transaction, then stores what they said in one.
import type { CarrierAccess } from '../carriers/carriers.ts';
import type { Steps } from '../http/api.ts';
import { single } from '../http/envelope.ts';
import { findStored } from '../http/idempotency.ts';
import { runWrite, type Sent } from '../http/write.ts';
import { prepareQuote } from './prepare-quote.ts';
import { findShippingQuote, insertQuote } from './queries.ts';
import type { QuoteInput } from './schema-parts.ts';

/** @throws 400, 400 customs_required */
export async function createShippingQuote(
  { database, scope, ifMatch, idempotent }: Steps,
  body: QuoteInput,
  access: CarrierAccess,
): Promise<Sent> {
  const { organizationId } = scope;
  // A replay asks nobody. Two requests at the same time may both ask; one of them is stored.
  const stored = idempotent === undefined ? undefined : await findStored(database, idempotent);
  if (stored !== undefined) return { ...stored, replayed: true };
  const quote = await prepareQuote(access, database, organizationId, body);
  return runWrite(database, { scope, ifMatch }, idempotent, {
    prepare: async () => undefined,
    answer: async (write) => {
      insertQuote(write, quote);
      return single(
        'shipping-quote',
        (await findShippingQuote(write.transaction, organizationId, quote.id))!,
      );
    },
  });
}
