// The example cards that come with Waybill: the simulated carriers are rated by them, and they show the form.
import { readFileSync } from 'node:fs';
import { readRateCard } from './read-rate-card.ts';
import type { RateCard } from './schema.ts';

export const exampleCarriers = ['usps', 'ups', 'fedex'] as const;
export type ExampleCarrier = (typeof exampleCarriers)[number];

const read = new Map<ExampleCarrier, RateCard>();

/** Made when it is first asked for; its prices are nobody's, whatever the date. */
export function exampleCard(carrier: ExampleCarrier): RateCard {
  let card = read.get(carrier);
  if (card === undefined) {
    const text = readFileSync(new URL(`examples/${carrier}.csv`, import.meta.url), 'utf8');
    const result = readRateCard(text, 'csv');
    if ('issues' in result) throw new Error(`examples/${carrier}.csv: ${JSON.stringify(result.issues)}`);
    card = result.card;
    read.set(carrier, card);
  }
  return card;
}
