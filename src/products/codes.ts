// Codes that tell variants apart: no two in one body, no two among an organisation's unarchived variants.
import { ApiError, type Issue } from '../errors.ts';
import type { Write } from '../http/api.ts';
import { type Codes, findCodeConflicts, uniqueCodes } from './variant-queries.ts';

/** Names both of every two variants in one body that share a code. */
export function repeatedCodes(
  variants: readonly { [K in keyof Codes]?: Codes[K] | undefined }[],
  path: string,
): Issue[] {
  const issues = new Map<string, Issue>();
  for (const code of uniqueCodes) {
    const firstWith = new Map<string, number>();
    variants.forEach((variant, index) => {
      const value = variant[code];
      if (value === null || value === undefined) return;
      const first = firstWith.get(value);
      if (first === undefined) {
        firstWith.set(value, index);
        return;
      }
      for (const each of [first, index]) {
        const at = `${path}/${each}/${code}`;
        issues.set(at, { path: at, code: 'duplicate', message: `is the ${code} of several variants here` });
      }
    });
  }
  return [...issues.values()];
}

/** @throws 409 sku_taken or barcode_taken, naming every conflict, when unarchived variants have such codes */
export async function requireFreeCodes(
  write: Write,
  rows: readonly Codes[],
  exceptIds: readonly string[],
): Promise<void> {
  if (rows.every((row) => uniqueCodes.every((code) => row[code] === null))) return;
  const conflicts = await findCodeConflicts(write, rows, exceptIds);
  const first = conflicts.find(({ field }) => field === 'sku') ?? conflicts[0];
  if (first === undefined) return;
  const { field, value, productVariantId } = first;
  throw new ApiError(field === 'sku' ? 'sku_taken' : 'barcode_taken', {
    details: { [field]: value, productVariantId, conflicts },
  });
}

/** @throws 409 when fewer variants were inserted than asked, which codes that others have prevented */
export async function requireAllInserted(
  write: Write,
  rows: readonly Codes[],
  insertedIds: readonly string[],
): Promise<void> {
  if (insertedIds.length === rows.length) return;
  await requireFreeCodes(write, rows, insertedIds);
  // Whoever had the code has given it up in this moment.
  throw new ApiError('conflict');
}
