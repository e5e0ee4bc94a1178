// What a run took: time, requests, memory.
export interface Measures {
  readSeconds: number;
  replaySeconds: number;
  compareSeconds: number;
  requests: number;
  retries: number;
  /** Of the replay alone, without reading back. */
  requestsPerSecond: number;
  connections: number;
  /** Null where it cannot be known: another machine's service, or a system without /proc. */
  servicePeakMegabytes: number | null;
  clientPeakMegabytes: number;
}

export function measuresText(measures: Measures): string[] {
  const { servicePeakMegabytes: peak } = measures;
  return [
    `Time: ${measures.readSeconds.toFixed(1)} s reading, ${measures.replaySeconds.toFixed(1)} s replaying, ${measures.compareSeconds.toFixed(1)} s reading back and comparing`,
    `Requests: ${grouped(measures.requests)} (${grouped(measures.retries)} retried); ${grouped(Math.round(measures.requestsPerSecond))} a second while replaying, over ${measures.connections} connections`,
    `Peak memory: service process ${peak === null ? 'not known' : `${peak} MB`}, this client ${measures.clientPeakMegabytes} MB`,
  ];
}

/** A number with its digits in threes. */
export function grouped(value: number | string): string {
  return String(value).replace(/^-?\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));
}
