// Whatever is called printable has a letter in both faces; the rest is named, or left out where it says nothing.
import assert from 'node:assert/strict';
import test from 'node:test';
import { labelAddress, labelContent, poland } from '../../test/support/label-content.ts';
import { loadFaces } from './fonts.ts';
import { cleaned, legible, mustBePrintable, unprintable } from './printable.ts';

test('both faces have every character that is called printable, and every letter of Latin orthographies is', async () => {
  const faces = await loadFaces();
  const wrong: string[] = [];
  let letters = 0;
  for (let code = 0x20; code < 0x3000; code += 1) {
    const sign = String.fromCharCode(code);
    if (cleaned(`x${sign}x`) !== `x${sign}x` || unprintable(sign).length > 0) continue;
    letters += 1;
    for (const { font } of Object.values(faces)) {
      // The one sign without a picture is the space.
      const drawn =
        font.hasGlyphForCodePoint(code) &&
        (sign === ' ' || font.glyphForCodePoint(code).path.commands.length > 0);
      if (!drawn) wrong.push(`U+${code.toString(16)} ${font.postscriptName}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(letters > 1_000, `${letters} letters`);
});

test('letters of every Latin orthography are printable', () => {
  const latin =
    'Zażółć gęślą jaźń, Příliš žluťoučký kůň, Şükrü Öğünç İğdır ı, Nguyễn Thị Ánh Tuyết ơ ư đ, Ștefan Țîrlea, Þórður Æsir, ' +
    'Gőzsi Űrhajós, Māris Ķēniņš, Søren Ångström, Ḃriain, Kalaniʻōpuʻu, Ọlá Ẹ̀gbẹ́, Ŋmɔ ɛ ɖ ƒ ɣ ɓ ɗ ƙ, ə Ə, Ḷ ṃ, ẞ, L’Hôpital “Œuvré” – №5 €';
  assert.deepEqual(unprintable({ latin }), []);
});

test('other scripts are named, each field with its characters, all at once', () => {
  const content = labelContent({
    shipTo: labelAddress({ name: 'Иван H', city: '東京', street1: 'Αθήνα' }),
    reference: 'عمان',
    notes: ['fine', 'שלום'],
  });
  assert.deepEqual(unprintable(content), [
    { path: '/shipTo/name', characters: 'Иван' },
    { path: '/shipTo/street1', characters: 'Αθήνα' },
    { path: '/shipTo/city', characters: '東京' },
    { path: '/reference', characters: 'عمان' },
    { path: '/notes/1', characters: 'שלום' },
  ]);
  assert.throws(() => mustBePrintable(content), { name: 'RangeError', message: /\/shipTo\/name \(Иван\)/ });
  assert.deepEqual(unprintable(poland), []);
  assert.deepEqual(unprintable({ ...poland, email: 'иван@почта.рф', facilityCode: '東' }), []);
});

test('line ends and control characters become a blank, emoji and invisible characters nothing', () => {
  assert.equal(cleaned(' Ada\r\n\tByron\u0000 '), 'Ada Byron');
  assert.equal(cleaned('Ann ❤️ 👩‍🚀🇺🇸 O\u200bNeil\u202e\ufeff 👍🏽'), 'Ann ONeil');
  assert.equal(cleaned('１－２－３ ＡＢＣ\u3000x'), '1-2-3 ABC x');
  assert.equal(cleaned('Z\u0301o\u0308'), 'Źö');
  assert.equal(cleaned('© ® ™ 1️⃣'), '© ® ™ 1');
  assert.equal(cleaned('a\ud800b'), 'a b');
  assert.equal(cleaned(null), '');
});

test('papers that must be printed in any case show a question mark', () => {
  assert.equal(legible('Šibenik Москва'), 'Šibenik ??????');
});
