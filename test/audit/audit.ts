// What `npm audit` says, as one of three outcomes: it may be that the registry was not able to say anything.

export type Outcome =
  | { kind: 'clean'; packages: number }
  | { kind: 'found'; findings: string[] }
  | { kind: 'not-asked'; reason: string };

interface Report {
  vulnerabilities?: Record<
    string,
    { name: string; severity: string; range: string; via: (string | { title: string; url: string })[] }
  >;
  metadata?: { dependencies?: { total?: number } };
  message?: string;
  error?: { code?: string; summary?: string; detail?: string };
}

const failing = new Set(['high', 'critical']);

/** @param output what `npm audit --json` wrote on its standard output */
export function judgeAudit(output: string): Outcome {
  const report = parsed(output);
  if (report === undefined) return { kind: 'not-asked', reason: 'npm audit wrote no JSON' };
  if (report.vulnerabilities === undefined) {
    const { message, error } = report;
    return {
      kind: 'not-asked',
      reason: message || error?.summary || error?.code || 'the answer holds no list',
    };
  }
  const findings = Object.values(report.vulnerabilities)
    .filter(({ severity }) => failing.has(severity))
    .map(({ name, severity, range, via }) => {
      const why = via.map((cause) =>
        typeof cause === 'string' ? `by ${cause}` : `${cause.title} ${cause.url}`,
      );
      return `${severity}: ${name} ${range}: ${why.join('; ')}`;
    });
  if (findings.length > 0) return { kind: 'found', findings };
  return { kind: 'clean', packages: report.metadata?.dependencies?.total ?? 0 };
}

function parsed(output: string): Report | undefined {
  try {
    return JSON.parse(output) as Report;
  } catch {
    return undefined;
  }
}
