// What kinds of location there are, which are picked from unless said otherwise, and which every warehouse has.

export const locationTypes = [
  'bin',
  'shelf',
  'pallet',
  'floor',
  'receiving',
  'staging',
  'returns',
  'quality-control',
  'damaged',
] as const;

export type LocationType = (typeof locationTypes)[number];

const notPicked: readonly LocationType[] = ['staging', 'returns', 'quality-control', 'damaged'];

export function pickableByDefault(type: LocationType): boolean {
  return !notPicked.includes(type);
}

/** Made with every warehouse. Receipts go to them by name, so they keep it, and their type. */
export const standardLocations: readonly { name: string; type: LocationType }[] = [
  { name: 'RECEIVING', type: 'receiving' },
  { name: 'DAMAGED', type: 'damaged' },
  { name: 'QC', type: 'quality-control' },
];

export function isStandard(name: string): boolean {
  return standardLocations.some((location) => location.name === name);
}
