// EasyPost's refusals and failures in the words of carrier.ts; its own code and words are kept.
import * as limits from '../../limits.ts';
import { CarrierError } from '../carrier.ts';

/** The carrier behind EasyPost may have done it although EasyPost says no. */
const carrierWasSilent = new Set([
  'SHIPMENT.POSTAGE.NO_RESPONSE',
  'SHIPMENT.POSTAGE.TIMED_OUT',
  'REFUND.NO_RESPONSE',
]);
const stillBuying = 'SHIPMENT.PURCHASE.IN_PROGRESS';

/** The shipment has a label: somebody bought it, as a rule an earlier call of ours whose answer was lost. */
export const alreadyBought = 'SHIPMENT.POSTAGE.EXISTS';
/** It is too late to give the label back. */
export const notRefundable = 'SHIPMENT.REFUND.UNAVAILABLE';

/** What an answer other than 2xx means. `doubtful`: what `bought` is where the request may have had its effect. */
export function refusal(status: number, answer: unknown, doubtful: 'no' | 'unknown'): CarrierError {
  const { code, words } = saidIn(answer);
  const error = (failure: CarrierError['failure'], bought: 'no' | 'unknown') =>
    new CarrierError(failure, `answered ${status}`, {
      bought,
      carrierErrorCode: code,
      carrierMessage: words,
    });
  if (status === 401 || status === 403) return error('carrier_credentials', 'no');
  if (status === 429) return error('carrier_unavailable', 'no');
  if (status === 408 || carrierWasSilent.has(code ?? '')) return error('carrier_timeout', doubtful);
  if (status < 400 || status >= 500 || code === stillBuying) return error('carrier_unavailable', doubtful);
  return error('carrier_rejected', 'no');
}

/** The same error, where there may be a label (or a label may be void) whatever the failed call says itself. */
export function thoughBought(error: unknown): unknown {
  if (!(error instanceof CarrierError)) return error;
  const { failure, message, carrierErrorCode, carrierMessage } = error;
  return new CarrierError(failure, message, { bought: 'unknown', carrierErrorCode, carrierMessage });
}

/**
 * `{error: {code, message, errors: [{field, message} or text]}}`, as documented; the message is a list or an object at
 * times.
 */
function saidIn(answer: unknown): { code: string | null; words: string | null } {
  const error = fieldsOf(answer)['error'] ?? answer;
  const { code, message, errors } = fieldsOf(error);
  const words = [...new Set([...texts(typeof error === 'string' ? error : message), ...texts(errors)])];
  return {
    code: typeof code === 'string' && code !== '' ? code.slice(0, limits.codeLengthMax) : null,
    words: words.length === 0 ? null : words.join('; ').slice(0, limits.textLengthMax),
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** No deeper than EasyPost ever nests them. */
function texts(value: unknown, depth = 3): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => texts(item, depth - 1));
  const { field, message, ...others } = fieldsOf(value);
  const said = message === undefined ? others : { [typeof field === 'string' ? field : '']: message };
  return Object.entries(said).flatMap(([name, words]) =>
    texts(words, depth - 1).map((text) => (name === '' ? text : `${name}: ${text}`)),
  );
}
