// An account, a rate request and purchases for tests of the EasyPost carrier, after EasyPost's own fixtures.
import { address } from '../../src/address.ts';
import type {
  CarrierAccount,
  CarrierRate,
  Customs,
  Label,
  Parcel,
  Purchase,
  RateRequest,
} from '../../src/carriers/carrier.ts';
import { easypostKey } from './easypost.ts';

export const easypostAccount = (given: Partial<CarrierAccount> = {}): CarrierAccount => ({
  organizationId: 'organization',
  ownerOrganizationId: 'organization',
  id: 'account',
  kind: 'easypost',
  carrierCode: 'usps',
  description: 'USPS by EasyPost',
  settings: {},
  credentials: { apiKey: easypostKey },
  ...given,
});

const shipFrom = address({
  name: 'Jack Sparrow',
  street1: '388 Townsend St',
  street2: 'Apt 20',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94107',
  country: 'us',
  email: 'test@example.com',
  phone: '5555555555',
});
const shipTo = address({
  name: 'Elizabeth Swan',
  street1: '179 N Harbor Dr',
  city: 'Redondo Beach',
  state: 'CA',
  postalCode: '90277',
  country: 'us',
  email: 'test@example.com',
  phone: '5555555555',
});

export const parcelOf = (given: Partial<Parcel> = {}): Parcel => ({
  id: 'parcel',
  weight: 15.4,
  weightUnit: 'oz',
  dimensions: { length: 10, width: 8, height: 4 },
  dimensionsUnit: 'in',
  ...given,
});

export const customsOf = (given: Partial<Customs> = {}): Customs => ({
  contentsType: 'merchandise',
  contentsExplanation: null,
  signer: 'Steve Brule',
  nonDeliveryOption: 'return',
  incoterm: null,
  eelPfc: 'NOEEI 30.37(a)',
  items: [
    {
      description: 'Sweet shirts',
      quantity: 2,
      value: 23.25,
      currency: 'usd',
      weight: 11,
      weightUnit: 'oz',
      tariffCode: '654321',
      countryOfOrigin: 'US',
      sku: null,
      eccn: null,
    },
  ],
  ...given,
});

export const requestOf = (given: Partial<RateRequest> = {}): RateRequest => ({
  reference: '123',
  shipTo,
  shipFrom,
  returnAddress: null,
  parcels: [parcelOf()],
  shippingDate: new Date('2024-07-30T16:00:00Z'),
  customs: null,
  insurance: null,
  ...given,
});

export const purchaseOf = (rate: CarrierRate, given: Partial<Purchase> = {}): Purchase => ({
  ...requestOf(),
  reference: 'shipment',
  rate,
  labelFormat: 'pdf',
  zplDpi: 203,
  ...given,
});

export const labelOf = (carrierReference: string, trackingCodes: string[]): Label => ({
  reference: 'shipment',
  carrierReference,
  trackingCodes,
  serviceCode: 'ground_advantage',
  purchasedAt: new Date('2024-07-30T16:12:08Z'),
  shipTo,
  shipFrom,
  estDeliveryDate: null,
});
