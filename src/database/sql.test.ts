// The template that statements are written with.
import assert from 'node:assert/strict';
import test from 'node:test';
import { compile, plannedAnew, sql } from './sql.ts';

test('values become parameters in their order, wherever they stand', () => {
  const condition = sql`c.email = ${'a@b.c'} or c.name = ${null}`;
  const { text, values } = compile(sql`select ${1} from customers c where (${condition}) and c.id = ${'x'}`);
  assert.equal(text, 'select $1 from customers c where (c.email = $2 or c.name = $3) and c.id = $4');
  assert.deepEqual(values, [1, 'a@b.c', null, 'x']);
});

test('a value is never text, whatever it holds', () => {
  const { text, values } = compile(sql`select ${"'; drop table orders; --"}`);
  assert.equal(text, 'select $1');
  assert.deepEqual(values, ["'; drop table orders; --"]);
});

test('names and constants are quoted', () => {
  assert.equal(compile(sql.ref('o.id')).text, '"o"."id"');
  assert.equal(compile(sql.ref('a"b')).text, '"a""b"');
  assert.equal(
    compile(sql`${sql.lit("it's")}, ${sql.lit(21)}, ${sql.raw('desc')}`).text,
    "'it''s', 21, desc",
  );
});

test('a list is joined, an empty one is nothing', () => {
  const { text, values } = compile(sql`a in (${sql.join([1, sql`b`, 2])})`);
  assert.equal(text, 'a in ($1, b, $2)');
  assert.deepEqual(values, [1, 2]);
  assert.equal(compile(sql`x${sql.join([], sql` and `)}y`).text, 'xy');
  assert.equal(compile(sql.join([sql`a`, sql`b`], sql` and `)).text, 'a and b');
});

test('the same statement keeps its name, and no two texts share one', () => {
  const statement = (first: unknown, second: unknown) => sql`select ${first}, ${second}`;
  const names = [
    statement(1, 2),
    statement('x', null),
    // The same template: what a part is decides the text.
    statement(sql`now()`, 2),
    statement(1, sql`now()`),
    statement(sql`now()`, sql`now()`),
    statement(sql`${1}`, sql`now()`),
  ].map((one) => compile(one));
  assert.equal(names[0]!.name, names[1]!.name);
  assert.equal(names[3]!.name, names[5]!.name);
  const nameOfText = new Map(names.map(({ text, name }) => [text, name]));
  assert.equal(nameOfText.size, 4);
  assert.equal(new Set(nameOfText.values()).size, 4);
});

test('a statement that is planned anew has no name', () => {
  assert.deepEqual(compile(plannedAnew(sql`select ${1}, ${2} as again`)), {
    text: 'select $1, $2 as again',
    values: [1, 2],
  });
});
