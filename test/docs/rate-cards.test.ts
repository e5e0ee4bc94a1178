// docs/rate-cards.md: its card is read, asks what its table says, and every field stands there.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import Big from 'big.js';
import { address } from '../../src/address.ts';
import { rateParcels } from '../../src/carriers/rate-card/rate-parcels.ts';
import { readRateCard } from '../../src/carriers/rate-card/read-rate-card.ts';
import { RateCard } from '../../src/carriers/rate-card/schema.ts';
import { parcel, rateRequest } from '../support/rate-cards.ts';

const text = await readFile(new URL('../../docs/rate-cards.md', import.meta.url), 'utf8');

it('the card is read, and asks what the table beside it says', () => {
  const read = readRateCard(/```csv\n(.*?)```/s.exec(text)![1]!, 'csv');
  assert.ok('card' in read, JSON.stringify(read));
  const row =
    /^\| (\d{5}) \| (\d{5})(, residential)? \| (\d+) lb(?:, (\d+) x (\d+) x (\d+) in)? \| ([\d.]*) ?\| ([\d.]*) ?\|/gm;
  const rows = [...text.matchAll(row)];
  assert.equal(rows.length, 6);
  for (const [line, from, to, residential, pounds, length, width, height, van, bike] of rows) {
    const sides =
      length === undefined ? null : ([length, width, height].map(Number) as [number, number, number]);
    const { rates } = rateParcels(
      read.card,
      rateRequest({
        shipFrom: address({ postalCode: from!, country: 'US' }),
        shipTo: address({ postalCode: to!, country: 'US', isResidential: residential !== undefined }),
        parcels: [parcel(Number(pounds), 'lb', sides)],
      }),
    );
    const asked = Object.fromEntries(
      rates.map(({ serviceCode, rateTotal }) => [serviceCode, new Big(rateTotal).toFixed(2)]),
    );
    assert.deepEqual([asked['van'] ?? '', asked['bike'] ?? ''], [van, bike], line);
  }
});

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

function names({ properties, items }: JsonSchema): string[] {
  const own = Object.entries(properties ?? {}).flatMap(([name, field]) => [name, ...names(field)]);
  return [...own, ...(items === undefined ? [] : names(items))];
}

it('every field of a card stands there', () => {
  const code = [...text.replaceAll(/```.*?```/gs, '').matchAll(/`([^`]+)`/g)]
    .map(([, inner]) => inner!)
    .join(' ');
  const missing = names(RateCard as JsonSchema).filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
  assert.deepEqual(missing, []);
});
