// Token buckets, one per key and organisation acted for, counted by each process on its own.
import * as limits from '../limits.ts';

export interface Grant {
  allowed: boolean;
  /** Requests that may still follow at once. */
  remaining: number;
  /** Seconds until the next request is allowed (when refused) or the bucket is full again. */
  resetSeconds: number;
  burst: number;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** `take(who, perSecond)` takes one token; `nowMs` is a monotonic clock. */
export function rateLimiter(nowMs: () => number = () => performance.now()) {
  const buckets = new Map<string, Bucket>();
  return function take(who: string, perSecond: number): Grant {
    const burst = perSecond * limits.rateBurstSeconds;
    const now = nowMs();
    let bucket = buckets.get(who);
    if (bucket === undefined) {
      if (buckets.size >= limits.rateBuckets) buckets.delete(buckets.keys().next().value!);
      bucket = { tokens: burst, filledAtMs: now };
      buckets.set(who, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAtMs) / 1000) * perSecond);
    bucket.filledAtMs = now;
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    const missing = allowed ? burst - bucket.tokens : 1 - bucket.tokens;
    return {
      allowed,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil(missing / perSecond),
      burst,
    };
  };
}
