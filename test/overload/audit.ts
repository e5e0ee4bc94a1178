// Looks for every answered write in the database, once, and for those that were refused, not at all.
import pg from 'pg';
import type { Journal } from './generator.ts';
import { kindOf, wordOf } from './mix.ts';

const statements = {
  order: `select alias as word, count(*)::int as n from orders where alias like 'load-%' group by alias`,
  stock: `select reason as word, count(*)::int as n from inventory_movements where reason like 'load-%' group by reason`,
};

export async function audit(databaseUrl: string, { answered, unknown, refused }: Journal): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const findings: string[] = [];
  try {
    for (const kind of ['order', 'stock'] as const) {
      const { rows } = await client.query<{ word: string; n: number }>(statements[kind]);
      const there = new Map(rows.map(({ word, n }) => [word, n]));
      const judge = (numbers: number[], allowed: number[], said: string) => {
        for (const n of numbers.filter((one) => kindOf(one) === kind)) {
          const count = there.get(wordOf(n)) ?? 0;
          there.delete(wordOf(n));
          if (!allowed.includes(count)) findings.push(`${kind} ${n}, ${said}, is there ${count} times`);
        }
      };
      judge(answered, [1], 'answered 200');
      judge(refused, [0], 'refused');
      judge(unknown, [0, 1], 'without an answer');
      for (const word of there.keys()) findings.push(`${kind} ${word} is there, and nobody asked for it`);
    }
    const quotes = await client.query<{ n: number }>('select count(*)::int as n from shipping_quotes');
    const of = (numbers: number[]) => numbers.filter((n) => kindOf(n) === 'quote').length;
    const count = quotes.rows[0]!.n;
    if (count < of(answered) || count > of(answered) + of(unknown)) {
      findings.push(`${count} quotes are there, ${of(answered)} were answered`);
    }
    return findings;
  } finally {
    await client.end();
  }
}
