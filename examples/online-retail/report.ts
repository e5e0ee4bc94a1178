// The report of a run: as a table for people and as JSON for programs.
import { type Ledger, ledgerText } from '../support/ledger.ts';
import { grouped, type Measures, measuresText } from '../support/measures.ts';
import { tallyText } from '../support/tally.ts';
import type { Comparison } from './compare.ts';
import { DIRT_TEXT, type DirtKind, type Retail } from './read-invoices.ts';
import type { Replayed } from './replay.ts';

export interface Report {
  file: string;
  digest: string;
  passed: boolean;
  comparison: Comparison;
  ledger: Ledger;
  replayed: Replayed;
  lines: { total: number; byKind: Retail['linesByKind'] };
  dirt: Retail['dirt'];
  refusedAmount: string;
  refunds: string;
  measures: Measures;
}

const DIFFERENCES_SHOWN = 20;

export function reportText(report: Report): string {
  return [
    ...header(report),
    ...comparisonText(report.comparison),
    ledgerText(report.ledger),
    '',
    ...dirtText(report),
    '',
    ...measuresText(report.measures),
    '',
    report.passed ? 'PASSED: no difference' : 'FAILED: see the differences above',
    '',
  ].join('\n');
}

function header({ file, lines, replayed }: Report): string[] {
  const { sale, return: returned, writeOff, credit, refused } = lines.byKind;
  return [
    `${file}: ${grouped(lines.total)} lines`,
    `  = ${grouped(sale)} sold + ${grouped(returned)} returned + ${grouped(writeOff)} written off` +
      ` + ${grouped(credit)} credits without stock + ${grouped(refused)} refused`,
    `Made: ${tallyText('products', replayed.products)}, ${tallyText('customers', replayed.customers)},`,
    `  ${tallyText('orders', replayed.orders)}, ${tallyText('stock changes', replayed.stockChanges)}`,
    '',
  ];
}

function comparisonText({ totals, skusCompared, skuDifferences }: Comparison): string[] {
  const rows = totals.map(({ name, file, service }) => {
    return `${name.padEnd(24)}${grouped(file).padStart(18)}${grouped(service).padStart(18)}${file === service ? '' : '  DIFFERS'}`;
  });
  const differing = new Set(skuDifferences.map(({ sku }) => sku)).size;
  const shown = skuDifferences.slice(0, DIFFERENCES_SHOWN).map(({ sku, figure, file, service }) => {
    return `  ${sku} ${figure}: ${file} in the file, ${service} in the service`;
  });
  const more = skuDifferences.length - shown.length;
  return [
    `${''.padEnd(24)}${'file'.padStart(18)}${'service'.padStart(18)}`,
    ...rows,
    '',
    `Per stock code (lines, units, revenue, on hand, committed, available): ${grouped(skusCompared)} compared, ${grouped(differing)} differ`,
    ...shown,
    ...(more > 0 ? [`  and ${grouped(more)} more differences`] : []),
  ];
}

function dirtText({ dirt, refusedAmount, refunds }: Report): string[] {
  const kinds = Object.entries(DIRT_TEXT) as [DirtKind, string][];
  return [
    'Dirt in the file, and what became of it:',
    ...kinds.map(([kind, text]) => `${grouped(dirt[kind]).padStart(10)}  ${text}`),
    `Money that is no order's: ${grouped(refunds)} on cancelled and negative lines, ${grouped(refusedAmount)} on refused lines`,
  ];
}
