// What a carrier is to Waybill: five calls, and one vocabulary for what can go wrong in them.
import type { Address } from '../http/schemas.ts';

export type CarrierKind = 'rate-card' | 'easypost' | 'simulated';

/** Through whom labels are bought. Credentials are open here and nowhere else: never log one of these. */
export interface CarrierAccount {
  /** Who acts: the owner, or a child that the account is shared with. */
  organizationId: string;
  /** Whose credentials and rate cards they are. */
  ownerOrganizationId: string;
  id: string;
  kind: CarrierKind;
  carrierCode: string;
  description: string;
  settings: Readonly<Record<string, unknown>>;
  credentials: Readonly<Record<string, string>>;
}

export type WeightUnit = 'oz' | 'lb' | 'g' | 'kg';
export type DimensionsUnit = 'in' | 'cm';

/** As it was sent; carriers/units.ts converts. */
export interface Parcel {
  id: string;
  weight: number;
  weightUnit: WeightUnit;
  dimensions: { length: number | null; width: number | null; height: number | null } | null;
  dimensionsUnit: DimensionsUnit;
}

export interface CustomsItem {
  description: string;
  quantity: number;
  /** Of all units, in `currency`. */
  value: number;
  currency: string;
  /** Of all units. */
  weight: number | null;
  weightUnit: WeightUnit;
  tariffCode: string | null;
  countryOfOrigin: string | null;
  sku: string | null;
  eccn: string | null;
}

export interface Customs {
  contentsType: 'merchandise' | 'gift' | 'documents' | 'returned-goods' | 'sample' | 'other';
  contentsExplanation: string | null;
  signer: string | null;
  nonDeliveryOption: 'return' | 'abandon';
  incoterm: string | null;
  eelPfc: string | null;
  items: readonly CustomsItem[];
}

export interface RateRequest {
  /** Ours, the same on a repeat: the quote's id. */
  reference: string;
  shipTo: Address;
  shipFrom: Address;
  returnAddress: Partial<Address> | null;
  parcels: readonly Parcel[];
  shippingDate: Date;
  /** Present whenever the countries differ. */
  customs: Customs | null;
  insurance: { amount: number; currency: string } | null;
}

/** Money as decimal text. */
export interface CarrierRate {
  serviceCode: string;
  serviceName: string;
  rateTotal: string;
  /** The part of the total that surcharges are. */
  rateSurcharges: string;
  /** What it would cost by the list, where that is known. */
  compareAtRate: string | null;
  currency: string;
  estDeliveryDays: number | null;
  estDeliveryDate: Date | null;
  deliveryDateGuaranteed: boolean;
  message: string | null;
  /** What the carrier needs to be told to sell this very rate; at most 4,000 characters. */
  carrierReference: string | null;
}

export type LabelFormat = 'pdf' | 'zpl';
export type ZplDpi = 203 | 300;

/** A purchase of a rate. */
export interface Purchase extends Omit<RateRequest, 'reference'> {
  /** Ours, the same on every repeat: the shipment's id. The carrier is asked for it when an outcome is unknown. */
  reference: string;
  rate: CarrierRate;
  labelFormat: LabelFormat;
  zplDpi: ZplDpi;
}

/** A label as the carrier made it. */
export interface CarrierLabel {
  format: LabelFormat;
  dpi: ZplDpi | null;
  bytes: Uint8Array;
}

/** What Waybill needs to know to draw a label itself. */
export interface LabelDrawing {
  carrierName: string;
  /** Not postable: marked as a sample. */
  sample: boolean;
}

export interface Bought {
  /** Present where the carrier `drawsLabels`: every parcel's `label` is null then. */
  drawing: LabelDrawing | null;
  /** Of the whole shipment; the first parcel's where each has its own. */
  trackingCode: string;
  /** One for each parcel, in order. `label` is null where Waybill draws it. */
  parcels: readonly { trackingCode: string; label: CarrierLabel | null }[];
  /** What the carrier calls the purchase: given back to void and track. */
  carrierReference: string;
  trackingUrl: string | null;
  /** What was charged, where it is not what the rate said. */
  rateTotal: string | null;
}

/** A purchase that was made. */
export interface Label {
  reference: string;
  carrierReference: string;
  trackingCodes: readonly string[];
  serviceCode: string;
  purchasedAt: Date;
  shipTo: Address;
  shipFrom: Address;
  estDeliveryDate: Date | null;
}

export const trackerStatuses = [
  'unknown',
  'pre-transit',
  'in-transit',
  'out-for-delivery',
  'delivered',
  'available-for-pickup',
  'return-to-sender',
  'failure',
  'cancelled',
  'error',
] as const;
export type TrackerStatus = (typeof trackerStatuses)[number];

export interface TrackingEvent {
  status: TrackerStatus;
  message: string | null;
  /** Who says so: the carrier's code, or null for a posted event. */
  source: string | null;
  occurredAt: Date;
  location: {
    city: string | null;
    state: string | null;
    postalCode: string | null;
    country: string | null;
  } | null;
}

export interface Tracked {
  events: readonly TrackingEvent[];
  estDeliveryDate: Date | null;
  trackingUrl: string | null;
  signedBy: string | null;
}

/** `submitted`: the carrier will say later; `rejected`: it will not give the money back. */
export type VoidOutcome = 'voided' | 'submitted' | 'rejected';

export interface Carrier {
  /** True where a second `buy` with the same reference is the first one: an unknown outcome may then be bought again. */
  readonly buysOncePerReference: boolean;
  /** True where Waybill draws the labels: what they say must then be printable. */
  readonly drawsLabels: boolean;
  /** How often a label that is under way is asked for; null where nobody can be asked. */
  readonly trackEveryMs: number | null;
  /** Every service that takes the parcels. @throws CarrierError */
  rate(account: CarrierAccount, request: RateRequest, signal: AbortSignal): Promise<CarrierRate[]>;
  /** @throws CarrierError, with `bought` saying whether there may be a label all the same */
  buy(account: CarrierAccount, purchase: Purchase, signal: AbortSignal): Promise<Bought>;
  /** What became of a purchase with this reference; undefined where there is none. @throws CarrierError */
  find(account: CarrierAccount, purchase: Purchase, signal: AbortSignal): Promise<Bought | undefined>;
  /** Says the same when it is asked again, also for a void that was `submitted`. @throws CarrierError */
  void(account: CarrierAccount, label: Label, signal: AbortSignal): Promise<VoidOutcome>;
  /** All that is known, in any order. @throws CarrierError */
  track(account: CarrierAccount, label: Label, signal: AbortSignal): Promise<Tracked>;
  /** The carrier's own end of day; left out where Waybill draws the manifest. @throws CarrierError */
  manifest?(
    account: CarrierAccount,
    labels: readonly Label[],
    signal: AbortSignal,
  ): Promise<{ carrierReference: string; document: Uint8Array }>;
}

export type CarrierFailure =
  /** It did not answer in time. */
  | 'carrier_timeout'
  /** It could not be reached, is overloaded (429, 5xx) or said what cannot be understood. */
  | 'carrier_unavailable'
  /** It understood and refused: what it said is in `carrierMessage`. */
  | 'carrier_rejected'
  /** It does not accept the account's credentials or settings. */
  | 'carrier_credentials';

export class CarrierError extends Error {
  readonly failure: CarrierFailure;
  /** Whether a label may have been bought all the same. */
  readonly bought: 'no' | 'unknown';
  /** The carrier's own code and words, kept as they were. */
  readonly carrierErrorCode: string | null;
  readonly carrierMessage: string | null;

  constructor(
    failure: CarrierFailure,
    message: string,
    options: {
      bought: 'no' | 'unknown';
      carrierErrorCode?: string | null;
      carrierMessage?: string | null;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.bought = options.bought;
    this.carrierErrorCode = options.carrierErrorCode ?? null;
    this.carrierMessage = options.carrierMessage ?? null;
  }
}
