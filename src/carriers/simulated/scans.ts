// The way of a simulated parcel: the same scans at the same pace from the same purchase. Pure.
import type { Address } from '../../http/schemas.ts';
import type { TrackerStatus, TrackingEvent } from '../carrier.ts';
import type { Fault } from './faults.ts';

interface Scan {
  status: TrackerStatus;
  message: string;
  /** Where it is made. */
  at: 'origin' | 'destination';
}

const beginning: readonly Scan[] = [
  { status: 'pre-transit', message: 'Label made, and the parcel not yet received', at: 'origin' },
  { status: 'in-transit', message: 'Received', at: 'origin' },
  { status: 'in-transit', message: 'Departed', at: 'origin' },
  { status: 'in-transit', message: 'Arrived', at: 'destination' },
];
const outForDelivery: Scan = { status: 'out-for-delivery', message: 'Out for delivery', at: 'destination' };

const endings: Readonly<Partial<Record<Fault, readonly Scan[]>>> = {
  'track-return': [
    outForDelivery,
    { status: 'return-to-sender', message: 'Not deliverable, on its way back', at: 'destination' },
  ],
  'track-failure': [{ status: 'failure', message: 'Lost', at: 'destination' }],
  'track-pickup': [{ status: 'available-for-pickup', message: 'Ready to be picked up', at: 'destination' }],
};
const delivery: readonly Scan[] = [
  outForDelivery,
  { status: 'delivered', message: 'Delivered', at: 'destination' },
];

export interface Journey {
  carrierCode: string;
  boughtAt: Date;
  /** Nothing is scanned from then on. */
  voidedAt: Date | null;
  shipFrom: Address;
  shipTo: Address;
  paceSeconds: number;
  fault: Fault | undefined;
}

/** What was scanned until now, the label's own making first. */
export function scansUntil(now: Date, journey: Journey): TrackingEvent[] {
  const { boughtAt, voidedAt, paceSeconds, fault } = journey;
  const until = Math.min(now.getTime(), voidedAt?.getTime() ?? Number.POSITIVE_INFINITY);
  const ending = (fault === undefined ? undefined : endings[fault]) ?? delivery;
  const scans = [...beginning, ...ending]
    .map((scan, step) => ({ ...scan, occurredAt: new Date(boughtAt.getTime() + step * paceSeconds * 1000) }))
    .filter(({ occurredAt }) => occurredAt.getTime() <= until)
    .map(({ status, message, at, occurredAt }) => eventOf(journey, status, message, at, occurredAt));
  if (voidedAt === null) return scans;
  return [...scans, eventOf(journey, 'cancelled', 'Label voided', 'origin', voidedAt)];
}

function eventOf(
  { carrierCode, shipFrom, shipTo }: Journey,
  status: TrackerStatus,
  message: string,
  at: Scan['at'],
  occurredAt: Date,
): TrackingEvent {
  const { city, state, postalCode, country } = at === 'origin' ? shipFrom : shipTo;
  return { status, message, source: carrierCode, occurredAt, location: { city, state, postalCode, country } };
}
