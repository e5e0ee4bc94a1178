// When a delivery that failed is tried again, and when it is not.

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The wait after the first, second, ... failure; as many as there are, then the delivery has failed. */
export const retryAfterMs = [
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
];

/** Up to so much more, so that what failed together does not come back together. */
const jitter = 0.1;

/** The time of the next try after `tries` failures, or undefined when that was the last. */
export function nextTry(tries: number, now: Date, random = Math.random()): Date | undefined {
  const wait = retryAfterMs[tries - 1];
  return wait === undefined ? undefined : new Date(now.getTime() + Math.round(wait * (1 + random * jitter)));
}
