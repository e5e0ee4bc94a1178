// EasyPost's JSON as it is relied on: every field that is used is checked, all others are left alone. Pure.
import { Check, Errors } from 'typebox/value';
import { nullable, oneOf, type Static, type TSchema, Type } from '../../http/schemas.ts';
import * as limits from '../../limits.ts';
import { CarrierError, type VoidOutcome } from '../carrier.ts';

const maybe = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));
const text = Type.String();
/** As decimal text, at times as a number. */
const amount = Type.Union([Type.String({ pattern: '^-?\\d{1,11}(\\.\\d+)?$' }), Type.Number()]);

const Rate = Type.Object({
  id: Type.String({ pattern: '^rate_[0-9A-Za-z]+$' }),
  carrier: text,
  service: text,
  rate: amount,
  currency: Type.String({ pattern: '^[A-Za-z]{3}$' }),
  retail_rate: maybe(amount),
  retail_currency: maybe(text),
  list_rate: maybe(amount),
  list_currency: maybe(text),
  delivery_days: maybe(Type.Integer({ minimum: 0, maximum: 1000 })),
  delivery_date: maybe(text),
  delivery_date_guaranteed: maybe(Type.Boolean()),
});
export type Rate = Static<typeof Rate>;

const TrackingDetail = Type.Object({
  status: maybe(text),
  message: maybe(text),
  description: maybe(text),
  datetime: maybe(text),
  tracking_location: maybe(
    Type.Object({ city: maybe(text), state: maybe(text), zip: maybe(text), country: maybe(text) }),
  ),
});

const Tracker = Type.Object({
  tracking_code: text,
  status: maybe(text),
  shipment_id: maybe(text),
  signed_by: maybe(text),
  est_delivery_date: maybe(text),
  created_at: maybe(text),
  tracking_details: maybe(Type.Array(TrackingDetail)),
});
export type Tracker = Static<typeof Tracker>;

const ScanForm = Type.Object({
  id: Type.String({ pattern: '^sf_[0-9A-Za-z]+$' }),
  status: oneOf(['creating', 'created', 'failed']),
  message: maybe(text),
  form_url: maybe(text),
  tracking_codes: maybe(Type.Array(text)),
});
export type ScanForm = Static<typeof ScanForm>;

const PostageLabel = Type.Object({
  label_url: maybe(text),
  label_file_type: maybe(text),
  label_pdf_url: maybe(text),
  label_zpl_url: maybe(text),
  label_resolution: maybe(Type.Number()),
});
export type PostageLabel = Static<typeof PostageLabel>;

const Fee = Type.Object({
  type: text,
  amount,
  charged: maybe(Type.Boolean()),
  refunded: maybe(Type.Boolean()),
});
type Fee = Static<typeof Fee>;

const Message = Type.Object({ carrier: maybe(text), message: Type.Unknown() });
type Message = Static<typeof Message>;

/** What a purchase turns on. Its parts that are `Unknown` are checked by those who read them. */
const Shipment = Type.Object({
  id: Type.String({ pattern: '^shp_[0-9A-Za-z]+$' }),
  tracking_code: maybe(text),
  selected_rate: maybe(Type.Object({ id: text, rate: amount })),
  postage_label: maybe(PostageLabel),
  refund_status: maybe(text),
  scan_form: maybe(Type.Object({ id: text })),
  rates: maybe(Type.Array(Type.Unknown())),
  messages: Type.Optional(Type.Unknown()),
  tracker: Type.Optional(Type.Unknown()),
  fees: Type.Optional(Type.Unknown()),
});
export type Shipment = Static<typeof Shipment>;

const Refund = Type.Object({ tracking_code: text, shipment_id: maybe(text), status: text });

const Event = Type.Object({ description: text, result: Type.Optional(Type.Unknown()) });

/** @throws CarrierError carrier_unavailable, of which `bought` is this */
type Read<T> = (json: unknown, bought?: 'no' | 'unknown') => T;

export const readShipment: Read<Shipment> = reader(Shipment);
export const readScanForm: Read<ScanForm> = reader(ScanForm);
export const readTracker: Read<Tracker> = reader(Tracker);
export const readRefund: Read<Static<typeof Refund>> = reader(Refund);
export const readEvent: Read<Static<typeof Event>> = reader(Event);

function reader<T extends TSchema>(schema: T): Read<Static<T>> {
  return (json, bought = 'no') => {
    if (Check(schema, json)) return json;
    const [first] = Errors(schema, json);
    const where = first === undefined ? '' : `: ${first.instancePath || '/'} ${first.message}`;
    throw new CarrierError('carrier_unavailable', `said what cannot be understood${where}`, { bought });
  };
}

/** Those that can be understood: one wrong rate must not lose the others. @throws CarrierError where none can */
export function readRates({ rates }: Shipment): Rate[] {
  const understood = (rates ?? []).filter((rate) => Check(Rate, rate));
  if (understood.length === 0 && rates != null && rates.length > 0) reader(Rate)(rates[0]);
  return understood;
}

export function messagesIn({ messages }: Shipment): Message[] {
  return listIn(messages).filter((message) => Check(Message, message));
}

export function feesIn({ fees }: Shipment): Fee[] {
  return listIn(fees).filter((fee) => Check(Fee, fee));
}

/** The page on which everybody can follow the parcel, for a link. */
export function trackingPageIn(tracker: unknown): string | null {
  const url = Check(Type.Object({ public_url: text }), tracker) ? tracker.public_url : '';
  if (url.length > limits.urlLengthMax || !URL.canParse(url)) return null;
  return /^https?:$/.test(new URL(url).protocol) ? url : null;
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined where there is none, or none that can be read. Without a zone it is UTC. */
export function timeIn(value: string | null | undefined): Date | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const time = new Date(/T[\d:.]+$/.test(value) ? `${value}Z` : value);
  const year = time.getUTCFullYear();
  return year >= 2000 && year <= 9999 ? time : undefined;
}

const refundOutcomes: Readonly<Record<string, VoidOutcome>> = {
  submitted: 'submitted',
  refunded: 'voided',
  rejected: 'rejected',
  // The carrier gives nothing back for such a label.
  not_applicable: 'rejected',
};

/** Undefined where no refund was asked for, and where the status is new to us. */
export function refundOutcome(status: string | null | undefined): VoidOutcome | undefined {
  return refundOutcomes[status ?? ''];
}
