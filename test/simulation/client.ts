// A client: sends one command, once or twice, and judges the answers by themselves.
import { isDeepStrictEqual } from 'node:util';
import type { Asked, Memory } from './command.ts';
import type { Step } from './commands.ts';
import type { Answer } from './service.ts';

export interface Sent {
  step: Step;
  asked: Asked;
  /** The answer that counts: the first that is not "still running". */
  answer: Answer;
  problems: string[];
}

export function codeOf(answer: Answer): string {
  return answer.status === 200 ? 'ok' : (answer.body?.error?.details?.code ?? `status ${answer.status}`);
}

export async function send(step: Step, asked: Asked, key: string): Promise<Sent> {
  const { party, method = 'POST', path, body, headers = {} } = asked;
  const once = (more = {}) => party.send(method, path, body, { ...headers, ...more });
  if (step.sending === 'once') {
    const answer = await once();
    return { step, asked, answer, problems: answerProblems(asked, answer) };
  }
  const keyed = () => once({ 'idempotency-key': key });
  const first = step.sending === 'twice' ? await Promise.all([keyed(), keyed()]) : [await keyed()];
  const last = await keyed();
  const answers = [...first, last].filter((answer) => codeOf(answer) !== 'idempotency_key_in_use');
  const answer = answers[0]!;
  const problems = [
    ...answers.flatMap((one) => answerProblems(asked, one)),
    ...replayProblems(answers),
    ...(codeOf(last) === 'idempotency_key_in_use'
      ? ['a key is in use after its requests were answered']
      : []),
  ];
  return { step, asked, answer: answers.find(({ status }) => status === 200) ?? answer, problems };
}

function answerProblems(asked: Asked, answer: Answer): string[] {
  if (answer.status === 200) return shownProblems(asked, answer);
  const { may } = asked;
  const code = codeOf(answer);
  if (answer.status >= 500) return [`answered ${answer.status}: ${answer.text}`];
  if (typeof answer.body?.error?.message !== 'string') {
    return [`answered ${answer.status} without saying why: ${answer.text}`];
  }
  return may.includes(code) ? [] : [`answered ${code}, which nothing asked for: ${answer.text}`];
}

/** What was asked for is what is answered: no field is passed over in silence. */
function shownProblems({ shows }: Asked, answer: Answer): string[] {
  const { data } = answer.body;
  return Object.entries(shows ?? {})
    .filter(([name, value]) => !alike(data[name], value))
    .map(
      ([name, value]) => `asked for ${name} ${JSON.stringify(value)}, answered ${JSON.stringify(data[name])}`,
    );
}

function alike(shown: unknown, asked: unknown): boolean {
  if (Array.isArray(asked)) {
    const items = Array.isArray(shown) ? shown : [];
    return asked.every((one) =>
      items.some((item) =>
        typeof one === 'string'
          ? item.name === one
          : Object.entries(one).every(([name, value]) => isDeepStrictEqual(item[name], value)),
      ),
    );
  }
  const isTime = typeof asked === 'string' && /^\d{4}-\d\d-\d\dT/.test(asked);
  return isTime ? new Date(String(shown)).getTime() === new Date(asked).getTime() : shown === asked;
}

/** After a 200 the same request under the same key is the same 200, and one of all is not a replay. */
function replayProblems(answers: readonly Answer[]): string[] {
  const made = answers.filter(({ status }) => status === 200);
  if (made.length === 0) return [];
  const problems: string[] = [];
  if (made.some(({ text }) => text !== made[0]!.text))
    problems.push('was answered otherwise when it was repeated');
  const fresh = made.filter(({ headers }) => headers['idempotency-replayed'] === undefined);
  if (fresh.length !== 1) problems.push(`was done ${fresh.length} times under one key`);
  return problems;
}

/** What only answers tell. */
export function remember(memory: Memory, { asked, answer }: Sent): void {
  if (answer.status !== 200) return;
  const { object, data } = answer.body;
  const { organizationId } = asked.party;
  if (object === 'fulfillment' && !memory.fulfillments.some(({ id }) => id === data.id)) {
    memory.fulfillments.push({ organizationId, orderId: data.orderId, id: data.id });
  }
  if (object === 'return-order' && Array.isArray(data.lineItems)) {
    const lineItemIds = data.lineItems.map(({ id }: { id: string }) => id);
    const others = memory.returnOrders.filter(({ id }) => id !== data.id);
    memory.returnOrders.splice(0, Infinity, ...others, { organizationId, id: data.id, lineItemIds });
  }
}
