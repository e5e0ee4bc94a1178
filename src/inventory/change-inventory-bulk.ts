// Makes thousands of changes of stock in one transaction: all of them, or those that can be made.
import { ApiError, type ErrorCode, type Issue } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Reply } from '../http/envelope.ts';
import * as limits from '../limits.ts';
import { applyChanges, type MadeChange } from './apply-changes.ts';
import { changeFields } from './change-inventory.ts';
import type { ChangeInventoryBulkBody } from './schema-changes.ts';

/** @throws with `atomic`, the error of the first change that fails, with an issue for each that does */
export async function changeInventoryBulk(write: Write, body: ChangeInventoryBulkBody): Promise<Reply> {
  const results = await applyChanges(write, body.changes);
  const failed = results.filter((result) => result instanceof ApiError).length;
  if (body.atomic && failed > 0) throw failureOf(results, failed);
  const made = results.length - failed;
  const message = `Successfully made ${made} of ${results.length} changes`;
  const rows = results.map(row).join(',');
  return {
    body: `{"object":"inventoryUpdateBulk","success":${failed === 0},"message":"${message}","data":[${rows}]}`,
  };
}

function row(result: MadeChange | ApiError, index: number): string {
  if (!(result instanceof ApiError)) return `{"index":${index},${changeFields(result)}}`;
  const { code, message, issues, details } = result;
  const error = { code, message, ...details, ...(issues === undefined ? {} : { issues }) };
  return JSON.stringify({ index, success: false, message, error });
}

function failureOf(results: readonly (MadeChange | ApiError)[], failed: number): ApiError {
  const index = results.findIndex((result) => result instanceof ApiError);
  const first = results[index] as ApiError;
  // What is 404 for one change is 400 here: the address is right, a part of the body is not.
  const code = first.code === 'variant_not_found' ? 'unknown_variant' : (first.code as ErrorCode);
  return new ApiError(code, {
    message: `${failed} of ${results.length} changes cannot be made, so none was: ${first.message}`,
    issues: results
      .flatMap((result, n) => (result instanceof ApiError ? issuesOf(result, n) : []))
      .slice(0, limits.issuesMax),
    details: { index, ...first.details },
  });
}

function issuesOf({ issues, code, message }: ApiError, index: number): Issue[] {
  const path = `/changes/${index}`;
  if (issues === undefined) return [{ path, code, message }];
  return issues.map((issue) => ({ ...issue, path: path + issue.path }));
}
