// Sends requests that nobody would, to both organisations in turn, and collects what is wrong with the answers.
import type { Operation } from '../support/contract.ts';
import { sampleOf } from '../support/samples.ts';
import { commandOf, type Judge, makeJudge } from './judge.ts';
import { type Memory, makeMemory } from './memory.ts';
import { makeRandom, type Random } from './random.ts';
import { sendRaw } from './raw.ts';
import { type Made, makeRequest, type Party } from './requests.ts';
import type { Received, Sent, Target } from './target.ts';
import { makeValues, type Values } from './values.ts';

export interface Finding {
  /** Which request of this seed. */
  number: number;
  kind: string;
  problem: string;
  command: string;
  /** What the service logged about it. */
  log: string[];
}

export interface Report {
  seed: number;
  tried: number;
  byStatus: Record<string, number>;
  /** operationId -> how many of its requests were answered 200. */
  succeeded: Record<string, number>;
  findings: Finding[];
}

export interface FuzzOptions {
  requests: number;
  seed: number;
  /** Requests that are under way at the same time. */
  atOnce?: number;
  tell?: (report: Report) => void;
}

interface Fuzz {
  target: Target;
  judge: Judge;
  random: Random;
  values: Values;
  report: Report;
  parties: [Party, Party];
  unfinished: Set<Promise<void>>;
}

const findingsMax = 25;
const halfRequestsMax = 20;

export async function fuzz(target: Target, options: FuzzOptions): Promise<Report> {
  const { requests, seed, atOnce = 4, tell } = options;
  const { operations, document } = target.contract;
  const random = makeRandom(seed);
  const report: Report = { seed, tried: 0, byStatus: {}, succeeded: {}, findings: [] };
  const values = makeValues(random, seed, document.components);
  const run: Fuzz = {
    ...{ target, random, values, report },
    judge: makeJudge(target.contract, target.shared),
    parties: makeParties(target),
    unfinished: new Set(),
  };
  for (const party of run.parties)
    for (const operation of operations) await takeSample(run, party, operation);
  while (report.tried < requests && report.findings.length < findingsMax) {
    const party = random.pick(run.parties);
    if (random.chance(0.015)) await takeSample(run, party, random.pick(operations));
    if (random.chance(0.004)) await abuseSocket(run, party);
    const made = Array.from({ length: atOnce }, () => makeRequest(random, values, operations, party)).filter(
      ({ sent }) => target.own || reachesNobody(sent),
    );
    const answers = await Promise.all(made.map((one) => ask(run, party, one.kind, one.sent)));
    for (const [index, answer] of answers.entries()) learn(run, party, made[index]!, answer);
    tell?.(report);
  }
  await Promise.all(run.unfinished);
  return finish(run);
}

function makeParties({ organizations, contract }: Target): [Party, Party] {
  const paths = contract.operations.map(({ path }) => path);
  const [first, second] = organizations;
  const memories: [Memory, Memory] = [makeMemory(paths), makeMemory(paths)];
  const fresh = () => ({ samples: new Map(), lastKeys: ['key-0'] });
  return [
    { ...first, ...fresh(), memory: memories[0], foreign: memories[1] },
    { ...second, ...fresh(), memory: memories[1], foreign: memories[0] },
  ];
}

/** Makes what an operation needs, and sends it a request that it takes. */
async function takeSample(run: Fuzz, party: Party, operation: Operation): Promise<void> {
  const request = async (method: string, path: string, body?: unknown, headers = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent: Sent = { method, path, headers: { ...party.headers, ...type, ...headers } };
    if (body !== undefined) sent.body = JSON.stringify(body);
    const answer = await ask(run, party, 'sample', sent);
    if (answer === undefined) throw new Error('no answer');
    return answer;
  };
  try {
    party.samples.set(operation.operationId, await sampleOf(operation)(request));
  } catch {
    // What was fuzzed before stands in its way, such as a name that is taken; there is a next time.
  }
}

async function ask(run: Fuzz, party: Party, kind: string, sent: Sent): Promise<Received | undefined> {
  const { report, target, judge } = run;
  report.tried += 1;
  const number = report.tried;
  const tell = (problem: string, requestId = '') => {
    const alike = report.findings.some((one) => likeness(one.problem) === likeness(problem));
    if (alike || report.findings.length >= findingsMax) return;
    const log = requestId === '' ? [] : target.failuresOf(requestId);
    report.findings.push({ number, kind, problem, command: commandOf(sent), log });
  };
  try {
    const answer = await target.send(sent);
    const id = answer.headers['x-request-id'];
    report.byStatus[answer.status] = (report.byStatus[answer.status] ?? 0) + 1;
    for (const problem of judge.problems(party.name, sent, answer)) {
      tell(problem, id);
    }
    return answer;
  } catch (error) {
    // The service need not read on where it has refused already.
    const refused = (sent.body?.length ?? 0) > 500_000 || sent.headers['expect'] !== undefined;
    if (!refused) tell(`${sent.method} ${sent.path.slice(0, 200)} was not answered: ${error}`);
    return undefined;
  }
}

/** The same fault of the same operation is told once. */
function likeness(problem: string): string {
  return problem
    .replaceAll(/[0-9a-f-]{36}/gi, '')
    .replaceAll(/\d+/g, '')
    .slice(0, 120);
}

function learn(run: Fuzz, party: Party, made: Made, answer: Received | undefined): void {
  if (answer?.status !== 200 || made.sent.method !== made.operation.method) return;
  const { operationId, path } = made.operation;
  run.report.succeeded[operationId] = (run.report.succeeded[operationId] ?? 0) + 1;
  party.memory.learn(path, made.ids, answer.body);
}

/** Of a service that is up, no webhook and no carrier is to be reached. */
function reachesNobody({ path, body }: Sent): boolean {
  return !path.startsWith('/webhook-endpoints') && !(body?.toString().includes('easypost') ?? false);
}

async function abuseSocket(run: Fuzz, party: Party): Promise<void> {
  const { target, random, report, unfinished } = run;
  if (target.port === undefined) return;
  const half = random.chance(0.2);
  if (half && unfinished.size >= halfRequestsMax) return;
  report.tried += 1;
  const number = report.tried;
  const command = '(a raw connection: test/fuzz/raw.ts)';
  const sending = sendRaw(random, target.port, party.headers, half).then((problems) => {
    for (const problem of problems) report.findings.push({ number, kind: 'raw', problem, command, log: [] });
  });
  if (!half) return sending;
  unfinished.add(sending);
  void sending.finally(() => unfinished.delete(sending));
}

async function finish({ target, report }: Fuzz): Promise<Report> {
  const differences = await target.differences();
  const command = 'GET /inventory/verify, and waybill verify';
  const about = { number: report.tried, kind: 'in the end', command, log: [] };
  for (const difference of differences.slice(0, 5)) {
    report.findings.push({ ...about, problem: `the figures differ: ${JSON.stringify(difference)}` });
  }
  if (Object.keys(Object.prototype).length > 0) {
    report.findings.push({ ...about, problem: 'every object has a field that somebody sent' });
  }
  return report;
}
