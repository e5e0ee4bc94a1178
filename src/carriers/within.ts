// A call to a carrier that ends in time, whether or not the carrier heeds the signal.
import { CarrierError } from './carrier.ts';

/** @throws CarrierError carrier_timeout, with this `bought`, once the time is over; what the call throws before that */
export async function within<T>(
  timeoutMs: number,
  bought: 'no' | 'unknown',
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = Number((timeoutMs / 1000).toFixed(1));
      reject(new CarrierError('carrier_timeout', `did not answer within ${seconds} s`, { bought }));
      abort.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([(async () => call(abort.signal))(), late]);
  } finally {
    clearTimeout(timer);
  }
}
