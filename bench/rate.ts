// Does one thing again and again, a number of them at a time, and says how often it was done and how long each took.

export interface Measured {
  perSecond: number;
  /** Milliseconds of one. */
  p50: number;
  p99: number;
  count: number;
  /** Milliseconds of this process's CPU that one took. */
  cpuMs: number;
}

/** `work` is told how many were begun before it, and which of the concurrent lanes it runs in. */
export async function measure(
  concurrency: number,
  seconds: number,
  work: (n: number, lane: number) => Promise<void>,
): Promise<Measured> {
  const times: number[] = [];
  const before = process.cpuUsage();
  const start = performance.now();
  const deadline = start + seconds * 1_000;
  let begun = 0;
  const repeat = async (_: unknown, lane: number) => {
    for (let now = performance.now(); now < deadline; ) {
      await work(begun++, lane);
      const then = performance.now();
      times.push(then - now);
      now = then;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, repeat));
  const elapsed = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return {
    perSecond: times.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    count: times.length,
    cpuMs: (user + system) / 1_000 / times.length,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
