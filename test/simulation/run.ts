// One run: a world, rounds of commands sent at once, and the auditor between the rounds.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Told } from './audit-events.ts';
import { auditAppending } from './audit-papers.ts';
import { auditTurns } from './audit-waiting.ts';
import { audit } from './auditor.ts';
import { checkCounts } from './check-counts.ts';
import { checkAllTold, checkTold, readFeeds } from './check-feed.ts';
import { checkAnswers, checkLedger, checkReceipts, checkRefused } from './check-round.ts';
import { checkPast, checkShown, type Moment } from './check-shown.ts';
import { codeOf, remember, type Sent, send } from './client.ts';
import type { Memory, Seen } from './command.ts';
import { commandsByName, type Round } from './commands.ts';
import type { Facts } from './facts.ts';
import { readFactsFromApi } from './facts-from-api.ts';
import type { Service } from './service.ts';
import { makeWorld, type World } from './world.ts';

/** How often commands were answered with which code: `create order ok` -> 12. */
export type Counts = Map<string, number>;

/** What is wrong, and how it came to that. */
export class Failure extends Error {
  /** The index of the round after which it was found. */
  readonly round: number;

  constructor(message: string, round: number) {
    super(message);
    this.round = round;
  }
}

interface Run {
  service: Service;
  world: World;
  memory: Memory;
  counts: Counts;
  told: Told;
  oversold: Set<string>;
  overReceived: Set<string>;
  /** Moments at which nothing was under way, and what there was then. */
  moments: Moment[];
  /** What has happened, a line for each command. */
  story: string[];
  /** The index of the round that is played. */
  round: number;
  /** Something was done since the facts were read. */
  stale: boolean;
}

/** @throws Failure */
export async function runRounds(service: Service, rounds: readonly Round[], counts: Counts): Promise<void> {
  const world = await makeWorld(service);
  const memory = { fulfillments: [], returnOrders: [] };
  const run: Run = {
    service,
    world,
    memory,
    counts,
    told: { last: new Map(), records: new Map() },
    oversold: new Set(),
    overReceived: new Set(),
    moments: [],
    story: [],
    round: 0,
    stale: false,
  };
  let facts = await readFacts(run);
  noteOversold(run, facts);
  for (const [index, round] of rounds.entries()) {
    run.round = index;
    const last = index === rounds.length - 1;
    // Where each look costs many requests, the auditor comes less often.
    const looks = service.inside !== undefined || last || index % 5 === 4;
    facts = await playRound(run, { ...round, settle: round.settle || last }, index, facts, looks);
  }
  await report(run, await lastLook(run, facts));
}

async function playRound(
  run: Run,
  round: Round,
  index: number,
  before: Facts,
  looks: boolean,
): Promise<Facts> {
  const { service, world, memory } = run;
  const asked = round.steps.flatMap((step, n) => {
    const tag = `${world.prefix}-${index}-${n}`;
    const seen: Seen = { world, facts: before, memory, tag };
    const request = commandsByName.get(step.name)!.ask(step.data, seen);
    return request === undefined ? [] : [{ step, asked: request, key: tag }];
  });
  const alone = asked.length === 1;
  const rowsBefore = alone ? await rowsOf(run) : undefined;
  const sent = await Promise.all(asked.map((one) => send(one.step, one.asked, one.key)));
  for (const one of sent) tell(run, index, one);
  await report(run, [
    ...checkAnswers(sent, alone && !run.stale),
    ...(rowsBefore === undefined ? [] : checkRefused(sent[0]!, rowsBefore, (await rowsOf(run))!)),
  ]);
  const settles = round.settle && (service.inside !== undefined || looks);
  if (settles) await service.settle();
  run.stale = !looks;
  if (!looks) return before;
  const facts = await readFacts(run);
  noteOversold(run, facts);
  const ofStock = alone && commandsByName.get(sent[0]!.step.name)!.ofStock === true;
  await report(run, [
    ...audit(facts, { oversold: run.oversold, overReceived: run.overReceived, settled: settles }),
    ...checkLedger(sent, facts),
    ...checkReceipts(sent, facts),
    ...auditAppending(before, facts),
    ...(ofStock && service.inside !== undefined ? auditTurns(before, facts) : []),
    ...(await checkShown(service, world, facts)),
    ...(await follow(run, facts)),
  ]);
  if (settles) run.moments.push({ time: facts.time, facts });
  return facts;
}

async function lastLook({ service, world, told, moments }: Run, facts: Facts): Promise<string[]> {
  if (service.inside === undefined) return [];
  const wrong = await service.inside.wrongCounts(world.parties.map(({ organizationId }) => organizationId));
  return [
    ...wrong.map((difference) => `waybill verify finds ${JSON.stringify(difference)}`),
    ...(await checkAllTold(world, facts, told)),
    ...(await checkCounts(world, facts)),
    ...(await checkPast(world, moments)),
  ];
}

async function follow({ service, world, told, round }: Run, facts: Facts): Promise<string[]> {
  if (service.inside === undefined) return [];
  const { problems, touched } = await readFeeds(world, facts, told);
  return [
    ...problems,
    ...(await checkTold(world, facts, told, touched)),
    ...(await checkCounts(world, facts, round)),
  ];
}

/** Everything as it is now, and a moment later: what comes next bears a later time. */
async function readFacts({ service, world }: Run): Promise<Facts> {
  const organizationIds = world.parties.map(({ organizationId }) => organizationId);
  await sleep(2);
  const facts = (await service.inside?.read(organizationIds)) ?? (await readFactsFromApi(world));
  await sleep(2);
  return facts;
}

async function rowsOf({ service, world }: Run): Promise<Record<string, string> | undefined> {
  if (service.inside === undefined) return undefined;
  const { rows } = service.inside;
  const [parent, child] = await Promise.all(world.parties.map(({ organizationId }) => rows(organizationId)));
  // A name that was taken for an order that was then refused is a gap, which the description allows.
  return Object.fromEntries(
    [
      ...Object.entries(parent!),
      ...Object.entries(child!).map(([name, text]) => [`child ${name}`, text]),
    ].filter(([name]) => !name!.endsWith('name_counters')),
  );
}

function noteOversold({ oversold }: Run, { variants }: Facts): void {
  for (const { id, policy } of variants) if (policy === 'continue') oversold.add(id);
}

function tell(run: Run, round: number, sent: Sent): void {
  const { step, asked, answer } = sent;
  const outcome = codeOf(answer);
  const key = `${step.name}: ${outcome}`;
  run.counts.set(key, (run.counts.get(key) ?? 0) + 1);
  remember(run.memory, sent);
  const { organizationId } = asked.party;
  if (JSON.stringify(asked.body)?.includes('"inventoryPolicy":"continue"')) {
    run.oversold.add(asked.path.split('/').at(-1)!);
  }
  if (answer.body?.object === 'receipt' && JSON.stringify(asked.body).includes('"allowOverReceipt":true')) {
    run.overReceived.add(answer.body.data.purchaseOrderId);
  }
  if (['order', 'purchase-order'].includes(answer.body?.object))
    run.world.names.set(answer.body.data.id, answer.body.data.name);
  const twice = step.sending === 'once' ? '' : ` (${step.sending})`;
  const body = asked.body === undefined ? '' : ` ${JSON.stringify(asked.body)}`;
  run.story.push(
    `${round + 1}. ${organizationId}: ${step.name}${twice}: ${asked.method ?? 'POST'} ${asked.path}${body} -> ${outcome}`,
  );
}

async function report(run: Run, problems: readonly string[]): Promise<void> {
  if (problems.length === 0) return;
  const { names } = run.world;
  const named = (text: string) =>
    text.replaceAll(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      (id) => names.get(id) ?? id,
    );
  const shown = [...new Set(problems)].slice(0, 20).map((problem) => `  - ${problem}`);
  throw new Failure(
    named(['What happened:', ...run.story.map((line) => `  ${line}`), 'What is wrong:', ...shown].join('\n')),
    run.round,
  );
}
