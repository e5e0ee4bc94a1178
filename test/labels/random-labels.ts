// Labels for random addresses: accents, long names, signs that are commands in ZPL; the same for the same seed.
import fc from 'fast-check';
import { type LabelAddress, type LabelContent, symbologyOf } from '../../src/labels/content.ts';
import { labelContent } from '../support/label-content.ts';

const names = [
  'Ada Byron',
  'José Ñandú Peña',
  'Zoë Müller-Lüdenscheidt',
  'Zażółć Gęślą Jaźń',
  'Příliš Žluťoučký Kůň',
  'Şükrü Öğünç İğdır',
  'Nguyễn Thị Ánh Tuyết',
  'Ştefan Țîrlea',
  'Þórður Æsir Ðróttningarson',
  'Gőzsi Űrhajós Ödön',
  'Māris Ķēniņš',
  'Žydrūnas Ąžuolas',
  'Søren Ångström',
  'Seán Ó Dónaill-Mac Ḃriain',
  'Kalaniʻōpuʻu Kamehameha',
  'Ọlá Ẹ̀gbẹ́ Ńwàánị̀',
  'François L’Hôpital Œuvré',
  'Anne\nMarie\t“Ann” 😀',
  'Maximiliana Konstantina von Hohenzollern-Sigmaringen und Wittelsbach zu Bayern',
];
const signs = [
  '^',
  '~',
  '\\',
  '_',
  '^XZ',
  '~JR',
  '^FS^XZ',
  '>8',
  '"',
  '&',
  '#',
  '%',
  '^FO0,0^GB812,1218,812^FS',
];
const streets = [
  'T Street Southeast',
  'Rue de l’Église',
  'Große Straße',
  'ul. Świętokrzyska',
  'Phố Huế',
  'İstiklâl Caddesi',
];
const cities = [
  'Washington',
  'Łódź',
  'Český Krumlov',
  'Şanlıurfa',
  'Đà Nẵng',
  'São Paulo',
  'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
];
const countries = ['US', 'US', 'US', 'PL', 'CZ', 'TR', 'VN', 'BR', 'GB', 'DE', 'CA', 'AU'];
const letters = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ąćęłńśźżčďěňřťůğışạảấầẩẫậắằ -.,/',
];

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const capitals = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'),
    minLength: length,
    maxLength: length,
  });

const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...names) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 255 }) },
);
const withSigns = fc
  .tuple(word, fc.option(fc.constantFrom(...signs), { nil: '' }))
  .map((parts) => parts.join(''));

const trackingCode = fc.oneof(
  { weight: 4, arbitrary: digits(18).map((rest) => `9400${rest}`) },
  { weight: 2, arbitrary: digits(18).map((rest) => `9205${rest}`) },
  { weight: 4, arbitrary: capitals(16).map((rest) => `1Z${rest}`) },
  { weight: 1, arbitrary: digits(12) },
  { weight: 1, arbitrary: digits(15) },
  { weight: 1, arbitrary: digits(34) },
  { weight: 1, arbitrary: digits(9).map((serial) => `LA${serial}US`) },
  {
    weight: 3,
    arbitrary: fc.string({
      unit: fc.constantFrom(...'ABCXYZabcxyz0189-./^~_\\'),
      minLength: 4,
      maxLength: 29,
    }),
  },
);

const address: fc.Arbitrary<LabelAddress> = fc.record({
  name: withSigns,
  company: fc.option(withSigns),
  street1: fc
    .tuple(fc.nat(20_000), fc.constantFrom(...streets), fc.constantFrom('', ...signs))
    .map(([number, street, sign]) => `${number} ${street}${sign}`),
  street2: fc.option(withSigns),
  city: fc.constantFrom(...cities),
  state: fc.option(fc.constantFrom('DC', 'CA', 'Mazowieckie', 'SP')),
  postalCode: digits(5),
  country: fc.constantFrom(...countries),
  phone: fc.option(digits(10)),
});

const content: fc.Arbitrary<LabelContent> = fc
  .record({
    sample: fc.boolean(),
    serviceName: fc.constantFrom(
      'Ground Advantage',
      'Priority Mail Express',
      '2nd Day Air A.M.',
      'Livraison à domicile',
    ),
    shipFrom: address,
    shipTo: address,
    returnAddress: fc.option(address),
    reference: fc.option(withSigns),
    trackingCode,
    notes: fc.array(withSigns, { maxLength: 4 }),
  })
  .map((parts) => labelContent({ ...parts, symbology: symbologyOf(parts.trackingCode, parts.shipTo) }));

export function randomLabels(count: number, seed: number): LabelContent[] {
  return fc.sample(content, { numRuns: count, seed });
}

/** What a reader of the label's barcode must say. */
export function barcodeText({ symbology, trackingCode, shipTo }: LabelContent): string {
  if (symbology === 'code-128') return trackingCode;
  return `420${shipTo.postalCode!.slice(0, 5)}\u001d${trackingCode}`;
}
