// A label's content for tests: ordinary, and whatever a test wants changed.
import type { Customs } from '../../src/carriers/carrier.ts';
import type { LabelAddress, LabelContent } from '../../src/labels/content.ts';

export function labelAddress(parts: Partial<LabelAddress> = {}): LabelAddress {
  return {
    name: 'Ada Byron',
    company: null,
    street1: '1745 T Street Southeast',
    street2: 'Apt 4B',
    city: 'Washington',
    state: 'DC',
    postalCode: '20020-1234',
    country: 'US',
    phone: null,
    ...parts,
  };
}

export function labelContent(parts: Partial<LabelContent> = {}): LabelContent {
  return {
    sample: false,
    carrierName: 'USPS',
    serviceName: 'Ground Advantage',
    shipFrom: labelAddress({
      name: 'North Warehouse',
      street1: '560 Penstock Drive',
      street2: null,
      city: 'Grass Valley',
      state: 'CA',
      postalCode: '95945',
    }),
    shipTo: labelAddress(),
    returnAddress: null,
    weight: { value: 2.5, unit: 'lb' },
    shippingDate: '2026-11-21',
    reference: 'SO-1001',
    package: { number: 1, count: 1 },
    trackingCode: '9400111206206406260787',
    symbology: 'gs1-128-postal',
    notes: [],
    customs: null,
    ...parts,
  };
}

export const customsDeclaration: Customs = {
  contentsType: 'merchandise',
  contentsExplanation: null,
  signer: 'Ada Byron',
  nonDeliveryOption: 'return',
  incoterm: 'DDP',
  eelPfc: 'NOEEI 30.37(a)',
  items: [
    {
      description: 'Enamel mug',
      quantity: 2,
      value: 25.1,
      currency: 'usd',
      weight: 18,
      weightUnit: 'oz',
      tariffCode: '7323.94',
      countryOfOrigin: 'CN',
      sku: 'MUG-BLUE-03',
      eccn: null,
    },
    {
      description: 'Tee shirt',
      quantity: 1,
      value: 19.99,
      currency: 'usd',
      weight: 200,
      weightUnit: 'g',
      tariffCode: '6109.10',
      countryOfOrigin: 'PT',
      sku: 'TEE-1',
      eccn: null,
    },
  ],
};

export const poland = labelAddress({
  name: 'Zażółć Gęślą Jaźń',
  company: 'Łódzkie Zakłady sp. z o.o.',
  street1: 'ul. Świętego Mikołaja 27',
  street2: null,
  city: 'Łódź',
  state: null,
  postalCode: '90-001',
  country: 'PL',
  phone: '+48 42 123 45 67',
});
