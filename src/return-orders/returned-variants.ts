// The variants of a blind return's lines. Archived ones come back too.
import { ApiError, type Issue } from '../errors.ts';
import type { Write } from '../http/api.ts';
import { findLineVariants, type LineReference, type LineVariant } from '../products/variant-lookup.ts';

/**
 * In the order of the references, with one statement.
 * @throws 400 unknown_variant or ambiguous_variant, naming every such line by its path
 */
export async function findReturnedVariants(
  write: Write,
  references: readonly LineReference[],
  paths: readonly string[],
): Promise<LineVariant[]> {
  const matches = await findLineVariants(write.transaction, write.scope.organizationId, references);
  const unknown: Issue[] = [];
  const ambiguous: Issue[] = [];
  const variants = matches.flatMap((match, index) => {
    const path = paths[index]!;
    if (match.status === 'found') return [match.variant];
    if (match.status === 'archived' && match.variants.length === 1) return match.variants;
    if (match.status === 'missing') {
      unknown.push({ path, code: 'variant_not_found', message: 'names no product variant' });
    } else {
      ambiguous.push({ path, code: 'ambiguous_variant', message: 'matches more than one product variant' });
    }
    return [];
  });
  if (unknown.length > 0) throw new ApiError('unknown_variant', { issues: [...unknown, ...ambiguous] });
  if (ambiguous.length > 0) throw new ApiError('ambiguous_variant', { issues: ambiguous });
  return variants;
}
