// The day on which a parcel arrives: days of delivery counted from the day on which it is shipped.
import type { Service } from './schema.ts';

const dayMs = 86_400_000;

const delivers: Readonly<Record<Service['deliversOn'], (weekday: number) => boolean>> = {
  weekdays: (weekday) => weekday !== 0 && weekday !== 6,
  'mon-sat': (weekday) => weekday !== 0,
  daily: () => true,
};

/**
 * The beginning of that day, in UTC. What is shipped on a day without delivery sets out on the next day with it;
 * holidays are not known.
 */
export function deliveryDate(shippingDate: Date, days: number, deliversOn: Service['deliversOn']): Date {
  let time = Math.floor(shippingDate.getTime() / dayMs) * dayMs;
  const isDelivered = () => delivers[deliversOn](new Date(time).getUTCDay());
  while (!isDelivered()) time += dayMs;
  for (let left = days; left > 0; left -= 1) {
    do {
      time += dayMs;
    } while (!isDelivered());
  }
  return new Date(time);
}

/** The calendar day in UTC, `2026-11-21`. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
