// How `npm run audit` reads what npm says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeAudit } from './audit.ts';

const vulnerability = (severity: string) => ({
  auditReportVersion: 2,
  vulnerabilities: {
    left: {
      ...{ name: 'left', severity, range: '<1.2.3' },
      via: [{ title: 'Prototype pollution', url: 'https://github.com/advisories/GHSA-0' }, 'right'],
    },
  },
  metadata: { dependencies: { total: 90 } },
});

test('a high or critical vulnerability fails, and says what and why', () => {
  for (const severity of ['high', 'critical']) {
    assert.deepEqual(judgeAudit(JSON.stringify(vulnerability(severity))), {
      kind: 'found',
      findings: [
        `${severity}: left <1.2.3: Prototype pollution https://github.com/advisories/GHSA-0; by right`,
      ],
    });
  }
});

test('a lesser one does not, nor none at all', () => {
  for (const report of [
    vulnerability('moderate'),
    { vulnerabilities: {}, metadata: { dependencies: { total: 90 } } },
  ]) {
    assert.deepEqual(judgeAudit(JSON.stringify(report)), { kind: 'clean', packages: 90 });
  }
});

test('a registry without the endpoint, one that is away, and no answer at all are not taken for a clean bill', () => {
  const refused = {
    message: '405 Method Not Allowed',
    method: 'POST',
    statusCode: 405,
    error: { summary: '' },
  };
  const away = { error: { code: 'ENOTFOUND', summary: 'request failed' } };
  for (const [output, reason] of [
    [JSON.stringify(refused), '405 Method Not Allowed'],
    [JSON.stringify(away), 'request failed'],
    ['', 'npm audit wrote no JSON'],
    ['{}', 'the answer holds no list'],
  ] as const) {
    assert.deepEqual(judgeAudit(output), { kind: 'not-asked', reason });
  }
});
