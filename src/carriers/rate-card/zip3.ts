// What is known of the first three digits of ZIP codes: the zones of 2019 between them, and where they lie.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const read = (name: string) => readFileSync(new URL(`data/${name}`, import.meta.url));

let zones: Buffer | undefined;
let centroids: Readonly<Record<string, readonly [latitude: number, longitude: number]>> | undefined;

/**
 * The zone that USPS had for a pair in 2019, from origin to destination or, where only that is known, back. The table
 * has half a byte for each of a million pairs and is read when it is first asked: 0.5 MB.
 */
export function uspsZone2019(from: string, to: string): string | undefined {
  zones ??= gunzipSync(read('usps-zones-2019.bin.gz'));
  const zone = zoneAt(zones, from, to) || zoneAt(zones, to, from);
  return zone === 0 ? undefined : String(zone);
}

function zoneAt(table: Buffer, from: string, to: string): number {
  const index = Number(from) * 1000 + Number(to);
  return (table[index >> 1]! >> (4 * (index & 1))) & 15;
}

export const kilometresPerMile = 1.609344;
/** Mean radius of the earth. */
const earthKilometres = 6371.0088;

/** Along a great circle between the centres of both areas; undefined where one of them is not known. */
export function zip3Kilometres(from: string, to: string): number | undefined {
  centroids ??= JSON.parse(read('zip3-centroids.json').toString('utf8')) as NonNullable<typeof centroids>;
  const [a, b] = [centroids[from], centroids[to]];
  if (a === undefined || b === undefined) return undefined;
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const [latitude, longitude] = [radians(b[0] - a[0]), radians(b[1] - a[1])];
  const haversine =
    Math.sin(latitude / 2) ** 2 +
    Math.cos(radians(a[0])) * Math.cos(radians(b[0])) * Math.sin(longitude / 2) ** 2;
  return 2 * earthKilometres * Math.asin(Math.min(1, Math.sqrt(haversine)));
}
