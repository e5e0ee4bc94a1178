// The lower-case texts that `search` looks through, one value a line; kept by every write of what they hold.
// Made here and not by PostgreSQL, whose lower() depends on the locale of the database it runs on.

export interface Searchable {
  sku: string;
  title: string;
  barcode: string | null;
}

export function productSearchText(
  product: { name: string; brand: string | null },
  variants: readonly Omit<Searchable, 'title'>[],
): string {
  return lines([product.name, product.brand, ...variants.flatMap(({ sku, barcode }) => [sku, barcode])]);
}

export function variantSearchText({ sku, title, barcode }: Searchable, productName: string): string {
  return lines([sku, title, barcode, productName]);
}

function lines(values: (string | null)[]): string {
  return values
    .filter((value) => value !== null)
    .join('\n')
    .toLowerCase();
}
