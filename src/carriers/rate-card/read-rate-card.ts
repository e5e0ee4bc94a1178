// Reads a rate card from text, JSON or CSV, and names everything that is wrong with it at once.
import type { Issue } from '../../errors.ts';
import * as limits from '../../limits.ts';
import { checkRateCard } from './check-card.ts';
import { grow } from './csv-tree.ts';
import { readCsv } from './read-csv.ts';
import type { RateCard } from './schema.ts';

/** Of CSV: `line` begins at 1, and `path` is the column or setting. Of JSON: `path` is a pointer. */
export interface RateCardIssue extends Issue {
  line: number | null;
}

export type ReadRateCard = { card: RateCard } | { issues: RateCardIssue[] };

/** Pure, and never throws. docs/rate-cards.md describes both forms. */
export function readRateCard(text: string, format: 'json' | 'csv'): ReadRateCard {
  if (Buffer.byteLength(text) > limits.rateCardBytes) {
    return wrong([{ path: '', code: 'too_long', message: `is longer than ${limits.rateCardBytes} bytes` }]);
  }
  return format === 'json' ? readJsonCard(text) : readCsvCard(text);
}

function readJsonCard(text: string): ReadRateCard {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    return wrong([{ path: '', code: 'invalid_json', message: `is no JSON: ${message}` }]);
  }
  const checked = checkRateCard(document);
  return 'card' in checked ? checked : wrong(checked.issues);
}

const wrong = (issues: readonly Issue[]) => ({ issues: issues.map((issue) => ({ ...issue, line: null })) });

function readCsvCard(text: string): ReadRateCard {
  const { card, issues: rowIssues } = readCsv(text);
  const { document, placeOf } = grow(card);
  const checked = checkRateCard(document);
  if ('card' in checked && rowIssues.length === 0) return checked;
  const issues: RateCardIssue[] = rowIssues.map(({ field, ...issue }) => ({ ...issue, path: field }));
  for (const issue of 'issues' in checked ? checked.issues : []) {
    const { line, field } = placeOf(issue.path);
    issues.push({ ...issue, line, path: field });
  }
  issues.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { issues: issues.slice(0, limits.issuesMax) };
}
