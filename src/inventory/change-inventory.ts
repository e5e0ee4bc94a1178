// Adds, removes or moves units of one variant.
import { ApiError } from '../errors.ts';
import type { Write } from '../http/api.ts';
import type { Reply } from '../http/envelope.ts';
import { applyChanges, type MadeChange } from './apply-changes.ts';
import type { ChangeInventoryBody } from './schema-changes.ts';

export async function changeInventory(write: Write, body: ChangeInventoryBody): Promise<Reply> {
  const [result] = await applyChanges(write, [body]);
  if (result instanceof ApiError) throw result;
  return { body: `{"object":"inventoryUpdate",${changeFields(result!)}}` };
}

/** The fields of one made change, without the braces. */
export function changeFields({ message, data, source }: MadeChange): string {
  const ofMove = source === undefined ? '' : `,"source":${source}`;
  return `"success":true,"message":${JSON.stringify(message)},"data":${data}${ofMove}`;
}
