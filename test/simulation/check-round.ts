// What a round's answers promised, held against what is stored after it.
import { codeOf, type Sent } from './client.ts';
import { type Facts, Sums } from './facts.ts';

/** A command that ran alone must have been answered as the facts before it say. */
export function checkAnswers(sent: readonly Sent[], alone: boolean): string[] {
  return sent.flatMap(({ step, asked, answer, problems }) => {
    const found = problems.map((problem) => `${step.name}: ${problem}`);
    const { must } = asked;
    if (alone && must !== undefined && codeOf(answer) !== must) {
      found.push(
        `${step.name} ran alone, should be ${must} and is ${codeOf(answer)}: ${answer.text.slice(0, 500)}`,
      );
    }
    return found;
  });
}

/** What was refused has changed nothing. */
export function checkRefused(
  { step, answer }: Sent,
  before: Record<string, string>,
  after: Record<string, string>,
): string[] {
  if (answer.status === 200) return [];
  return Object.keys(after)
    .filter((table) => after[table] !== before[table])
    .map((table) => `${step.name} was refused (${codeOf(answer)}), and changed ${table}`);
}

/** What was answered with success is in the ledger once, and what was not is not in it. */
export function checkLedger(sent: readonly Sent[], { movements }: Facts): string[] {
  const units = new Sums();
  for (const { reason, quantity } of movements) units.add(reason, quantity);
  return sent.flatMap(({ step, asked: { ledger }, answer }) => {
    if (ledger === undefined) return [];
    const expected = answer.status === 200 ? ledger.units : 0;
    const found = units.get(ledger.reason);
    if (found === expected) return [];
    return [
      `${step.name} (${ledger.reason}) was answered ${codeOf(answer)}, and the ledger has ${found} units of it`,
    ];
  });
}

/** A receipt that was answered with success is there once, with the units that it was of; else it is not there. */
export function checkReceipts(sent: readonly Sent[], { arrivals }: Facts): string[] {
  return sent.flatMap(({ step, asked: { receipt }, answer }) => {
    if (receipt === undefined) return [];
    const came = arrivals.filter(({ reference }) => reference === receipt.reference);
    const units = came.reduce((sum, { quantity }) => sum + quantity, 0);
    const count = new Set(came.map(({ receiptId }) => receiptId)).size;
    const expected = answer.status === 200 ? [1, receipt.units] : [0, 0];
    if (count === expected[0] && units === expected[1]) return [];
    return [
      `${step.name} (${receipt.reference}) was answered ${codeOf(answer)}: ${count} receipts of it brought ${units} units`,
    ];
  });
}
