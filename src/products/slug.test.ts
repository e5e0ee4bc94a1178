// The slug that a name gives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberedSlugs, slugOf } from './slug.ts';

test('ASCII letters and digits in lower case, with hyphens between', () => {
  const slugs: Record<string, string> = {
    'Enamel Mug': 'enamel-mug',
    '  A  --  B!! ': 'a-b',
    'Café Größe Øre Łódź Ærø': 'cafe-grosse-ore-lodz-aero',
    'Levi’s 501': 'levis-501',
    'İstanbul ﬁne': 'istanbul-fine',
    '½ inch': '1-2-inch',
  };
  for (const [name, slug] of Object.entries(slugs)) assert.equal(slugOf(name), slug, name);
});

test('a name without any such letter is a product', () => {
  for (const name of ['東京', '!!!', '👍']) assert.equal(slugOf(name), 'product');
});

test('a long name leaves room for a number', () => {
  const slug = slugOf('ab '.repeat(200));
  assert.ok(slug.length <= 235 && !slug.endsWith('-'), slug);
});

test('numbers go on from 2, more of them each time', () => {
  const [first, second] = [numberedSlugs('a', 0), numberedSlugs('a', 1)];
  assert.deepEqual([first[0], first.at(-1), second[0], second.length], ['a-2', 'a-101', 'a-102', 200]);
});
