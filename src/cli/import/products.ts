// Imports products: what their skus name already is there.
import { createProduct } from '../../products/create-product.ts';
import { CreateProductBody } from '../../products/schema.ts';
import { resolveIdentifiers } from '../../products/variant-lookup.ts';
import type { Importing, Kind, Outcome, Row } from './kind.ts';
import { inTurns, writeEach } from './write-each.ts';

export const products: Kind = {
  schema: CreateProductBody,
  spread: { list: 'variants', sameBy: ['slug', 'name'] },
  batchSize: 400,
  write: (importing, rows) =>
    inTurns(
      rows,
      (row) => skusOf(row.body),
      (turn) => writeProducts(importing, turn),
    ),
};

async function writeProducts(importing: Importing, rows: readonly Row[]): Promise<Outcome[]> {
  const skus = [...new Set(rows.flatMap(({ body }) => skusOf(body)))];
  const found = await resolveIdentifiers(
    importing.database,
    importing.organizationId,
    skus.map((identifier) => ({ identifier, type: 'sku' })),
  );
  const known = new Set(
    skus.filter((_, index) => {
      const variant = found[index]!;
      return typeof variant === 'object' && variant.archived_at === null;
    }),
  );
  // A product of which only some skus are known is another one's rival, and createProduct says so.
  const isThere = ({ body }: Row) => skusOf(body).every((sku) => known.has(sku));
  return writeEach<CreateProductBody>(importing, rows, isThere, { write: createProduct, together: 10 });
}

function skusOf(body: unknown): string[] {
  return (body as CreateProductBody).variants.map(({ sku }) => sku);
}
