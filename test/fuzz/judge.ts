// What no answer may be, whatever was asked.
import type { Contract } from '../support/contract.ts';
import type { Received, Sent } from './target.ts';

export interface Judge {
  /** What is wrong with an answer to `organization`, in sentences. */
  problems(organization: string, sent: Sent, received: Received): string[];
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Traces of code, of its files and of the database, as JSON writes them, which no error may show. */
const inside =
  /\\n\s+at |node_modules|\.[jt]s:\d+|file:\/\/\/\w+\/(?!passwd)|SQLSTATE|syntax error at|relation \\"|column \\"|violates \w+ constraint|invalid input syntax|Cannot read propert|is not a function|undefined \(reading/;

/** `shared`: what both organisations may be shown. */
export function makeJudge(contract: Contract, shared = ''): Judge {
  /** Id -> the organisation to which it was told first. */
  const owners = new Map<string, string>();
  /** `<organization> <id>`: it sent the id itself, so that it may be told it. */
  const sentIds = new Set<string>();
  const leaks = (organization: string, sent: Sent, { text }: Received): string[] => {
    const asked = `${decoded(sent.path)} ${sent.body?.toString() ?? ''} ${JSON.stringify(sent.headers)}`;
    for (const [id] of asked.matchAll(uuid)) sentIds.add(`${organization} ${id.toLowerCase()}`);
    const found: string[] = [];
    for (const [written] of text.matchAll(uuid)) {
      const id = written.toLowerCase();
      if (sentIds.has(`${organization} ${id}`) || shared.includes(id)) continue;
      const owner = owners.get(id);
      if (owner === undefined) owners.set(id, organization);
      else if (owner !== organization) found.push(`shows ${id}, which is ${owner}'s`);
    }
    return found;
  };
  return {
    problems(organization, sent, received) {
      const { status, body, headers, text } = received;
      const problems: string[] = [];
      const code = body?.error?.details?.code;
      const carriers = (status === 502 || status === 504) && String(code).startsWith('carrier_');
      if (status >= 500 && !carriers) problems.push(`answered ${status}`);
      if (headers['x-content-type-options'] !== 'nosniff') problems.push('lacks X-Content-Type-Options');
      if (!headers['x-request-id']) problems.push('lacks X-Request-Id');
      if (sent.method !== 'HEAD') {
        const unlike = contract.problemOf(sent.method, sent.path, received);
        if (unlike !== undefined) problems.push(unlike);
        if (!/^application\/json/.test(headers['content-type'] ?? '')) problems.push('is not JSON');
      }
      const trace = status === 200 ? null : inside.exec(text);
      if (trace !== null && !wasSent(sent, trace[0])) problems.push(`shows "${trace[0]}" of the inside`);
      return [...problems, ...leaks(organization, sent, received)];
    },
  };
}

function wasSent({ path, body }: Sent, fragment: string): boolean {
  return decoded(path).includes(fragment) || (body?.toString().includes(fragment) ?? false);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The request as a command that sends it again; keys left out. */
export function commandOf({ method, path, headers, body }: Sent): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const shown = Object.entries(headers).filter(([name]) => name !== 'authorization');
  const parts = [
    `curl -sS -X ${method} ${quoted(`$URL${path}`).replace('$URL', `'"$URL"'`)} -H "Authorization: Bearer $KEY"`,
    ...shown.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ];
  if (Buffer.isBuffer(body)) parts.push(`--data-binary @- # the bytes ${body.toString('hex')}`);
  else if (body !== undefined) parts.push(`--data-binary ${quoted(body.slice(0, 4_000))}`);
  return parts.join(' ');
}
