// A search in any order: pages and cursors agree with what the same list shows without it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { orderSorts } from '../../src/orders/schema.ts';
import { startTestApp } from '../support/app.ts';
import { makeOrder } from '../support/factories.ts';

const { request, close } = await startTestApp();
after(close);

const matching = 9;
for (let index = 0; index < matching * 2; index += 1) {
  await makeOrder(request, {
    name: `${index % 2 === 0 ? 'WANTED' : 'OTHER'}-${index}`,
    // Ties, and orders without.
    ...(index % 3 === 0 ? {} : { targetDeliveryDate: `2026-0${1 + (index % 2)}-01T00:00:00Z` }),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: records are looked at freely
type Row = any;
const list = async (parameters: string) => {
  const answer = await request('GET', `/orders?${parameters}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const names = (rows: Row[]) => rows.map(({ name }) => name);

for (const sortBy of orderSorts) {
  for (const sortOrder of ['asc', 'desc']) {
    test(`what is searched for comes by ${sortBy}, ${sortOrder}, as it does among all`, async () => {
      const order = `sortBy=${sortBy}&sortOrder=${sortOrder}`;
      const all = names((await list(`${order}&limit=50`)).data).filter((name) => name.startsWith('WANTED'));
      assert.equal(all.length, matching);
      const pages: string[] = [];
      const walked: string[] = [];
      let cursor = '';
      for (let page = 1; page <= 3; page += 1) {
        const byNumber = await list(`${order}&search=anted&limit=4&page=${page}`);
        const byCursor = await list(`${order}&search=anted&limit=4${cursor}`);
        assert.equal(byNumber.totalCount, matching);
        assert.equal(byCursor.totalCount, matching);
        pages.push(...names(byNumber.data));
        walked.push(...names(byCursor.data));
        cursor = `&cursor=${byCursor.nextCursor}`;
      }
      assert.deepEqual(pages, all);
      assert.deepEqual(walked, all);
      assert.equal(cursor, '&cursor=null');
    });
  }
}

test('a page behind the last one says how many there are, and what nothing matches is none', async () => {
  const behind = await list('search=anted&limit=4&page=9');
  assert.deepEqual([behind.data, behind.totalCount, behind.nextCursor], [[], matching, null]);
  const none = await list('search=nowhere');
  assert.deepEqual([none.data, none.totalCount, none.nextCursor], [[], 0, null]);
});
