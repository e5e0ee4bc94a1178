// What a purchase order is searched by; its supplier's name is looked up where it stands.
import type { PurchaseOrderRow } from './queries.ts';

/** Lower case: name and numbers, then sku, title and product name of each line's variant, one a line. */
export function searchText(
  row: Pick<PurchaseOrderRow, 'name' | 'trackingNumber' | 'referenceNumber'>,
  variantTexts: readonly string[],
): string {
  const texts = [row.name, row.trackingNumber ?? '', row.referenceNumber ?? ''].map((text) =>
    text.toLowerCase(),
  );
  return [...new Set([...texts, ...variantTexts.flatMap((text) => text.split('\n'))])].join('\n');
}
