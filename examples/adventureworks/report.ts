// The report of a run: as a table for people and as JSON for programs.
import { type Ledger, ledgerText } from '../support/ledger.ts';
import { grouped, type Measures, measuresText } from '../support/measures.ts';
import { tallyText } from '../support/tally.ts';
import type { Comparison } from './compare.ts';
import type { Explained } from './explained.ts';
import type { Replayed } from './replay.ts';

export interface Report {
  folder: string;
  digest: string;
  passed: boolean;
  comparison: Comparison;
  explained: Explained[];
  ledger: Ledger;
  replayed: Replayed;
  measures: Measures;
}

const differencesShown = 20;

export function reportText(report: Report): string {
  return [
    ...header(report),
    ...comparisonText(report.comparison),
    ledgerText(report.ledger),
    '',
    'Said otherwise than in the file, on purpose:',
    ...report.explained.map(({ count, what }) => `${grouped(count).padStart(14)}  ${what}`),
    '',
    ...measuresText(report.measures),
    '',
    report.passed ? 'PASSED: no difference' : 'FAILED: see the differences above',
    '',
  ].join('\n');
}

function header({ folder, replayed }: Report): string[] {
  const { vendors, products, offers, bins, orders } = replayed;
  return [
    folder,
    `Made: ${tallyText('vendors', vendors)}, ${tallyText('products', products)}, ${tallyText('offers', offers)},`,
    `  ${tallyText('places for bins', bins)}, ${tallyText('purchase orders', orders)}`,
    '',
  ];
}

function comparisonText({ totals, compared, differences }: Comparison): string[] {
  const rows = totals.map(({ name, file, service }) => {
    const verdict = file === service ? '' : '  DIFFERS';
    return `${name.padEnd(26)}${grouped(file).padStart(18)}${grouped(service).padStart(18)}${verdict}`;
  });
  const { orders, lines, products, bins, offers } = compared;
  const shown = differences.slice(0, differencesShown).map(({ of, figure, file, service }) => {
    return `  ${of} ${figure}: ${file} in the file, ${service} in the service`;
  });
  const more = differences.length - shown.length;
  return [
    `${''.padEnd(26)}${'file'.padStart(18)}${'service'.padStart(18)}`,
    ...rows,
    '',
    `Compared: ${grouped(orders)} orders (vendor, status, subtotal, tax, total) with ${grouped(lines)} lines (product, ordered, received, rejected, price, total),`,
    `  ${grouped(products)} products (ordered, received, damaged, incoming, on hand, available), ${grouped(bins)} bins, ${grouped(offers)} offers: ${grouped(differences.length)} differences`,
    ...shown,
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
  ];
}
