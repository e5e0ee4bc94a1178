// What the environment may say, and how wrong values are told.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import test from 'node:test';
import { readConfig, variables } from './config.ts';
import { StartError } from './start-error.ts';

function problemsOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env);
  } catch (error) {
    assert(error instanceof StartError);
    assert(!error.message.includes('\n'));
    return error.message;
  }
  assert.fail('the environment was accepted');
}

test('an empty environment gives the documented defaults', () => {
  assert.deepEqual(readConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    dataDir: resolve('.waybill'),
    databaseUrl: undefined,
    environment: 'live',
    demo: true,
    logLevel: 'info',
    processes: 1,
    poolSize: 10,
    rateLimit: 2000,
    clientHeader: undefined,
    webhookAllowPrivate: false,
    easypostUrl: 'https://api.easypost.com/v2',
    eventRetentionDays: 30,
    secret: undefined,
  });
});

test('every variable is read', () => {
  const config = readConfig({
    WAYBILL_HOST: '::',
    WAYBILL_PORT: '0',
    WAYBILL_DATA_DIR: '/data',
    DATABASE_URL: 'postgres://me:p%40ss@db:5433/waybill?sslmode=require',
    WAYBILL_ENVIRONMENT: 'test',
    WAYBILL_DEMO: '0',
    WAYBILL_LOG_LEVEL: 'silent',
    WAYBILL_PROCESSES: '4',
    WAYBILL_POOL_SIZE: '20',
    WAYBILL_RATE_LIMIT: '50',
    WAYBILL_CLIENT_HEADER: 'X-Tenant',
    WAYBILL_WEBHOOK_ALLOW_PRIVATE: '1',
    WAYBILL_EASYPOST_URL: 'http://localhost:8080/v2/',
    WAYBILL_EVENT_RETENTION_DAYS: '7',
    WAYBILL_SECRET: 's'.repeat(32),
  });
  assert.equal(Object.keys(config).length, Object.keys(variables).length);
  assert.deepEqual(config, {
    host: '::',
    port: 0,
    dataDir: resolve('/data'),
    databaseUrl: 'postgres://me:p%40ss@db:5433/waybill?sslmode=require',
    environment: 'test',
    demo: false,
    logLevel: 'silent',
    processes: 4,
    poolSize: 20,
    rateLimit: 50,
    clientHeader: 'x-tenant',
    webhookAllowPrivate: true,
    easypostUrl: 'http://localhost:8080/v2',
    eventRetentionDays: 7,
    secret: 's'.repeat(32),
  });
});

test('an empty value is the same as none', () => {
  const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, '']));
  assert.deepEqual(readConfig(empty), readConfig({}));
});

test('one line names every wrong variable', () => {
  const message = problemsOf({
    WAYBILL_PORT: '70000',
    WAYBILL_ENVIRONMENT: 'prod',
    WAYBILL_DEMO: 'yes',
    WAYBILL_PROCESSES: '0',
    WAYBILL_RATE_LIMIT: '1.5',
    WAYBILL_CLIENT_HEADER: 'X Tenant',
    WAYBILL_EASYPOST_URL: 'https://key@api.easypost.com/v2',
  });
  assert.match(message, /WAYBILL_PORT must be a whole number from 0 to 65535, not "70000"/);
  for (const name of ['ENVIRONMENT', 'DEMO', 'PROCESSES', 'RATE_LIMIT', 'CLIENT_HEADER', 'EASYPOST_URL']) {
    assert.match(message, new RegExp(`WAYBILL_${name} must be`));
  }
});

test('a misspelt variable is told, not ignored', () => {
  assert.match(problemsOf({ WAYBILL_PROT: '3001' }), /no such variable: WAYBILL_PROT /);
});

test('what Kubernetes says about a Service named waybill is ignored, save where it takes our own name', () => {
  assert.equal(readConfig({ WAYBILL_SERVICE_HOST: '10.0.0.1', WAYBILL_PORT_80_TCP_PORT: '80' }).port, 3000);
  assert.match(problemsOf({ WAYBILL_PORT: 'tcp://10.0.0.1:80' }), /enableServiceLinks/);
});

test('values that are secret are never repeated', () => {
  const message = problemsOf({ WAYBILL_SECRET: 'hunter2', DATABASE_URL: 'mysql://root:hunter2@db/x' });
  assert.match(message, /WAYBILL_SECRET must be 32 characters or more/);
  assert.match(message, /DATABASE_URL must be an address like/);
  assert(!message.includes('hunter2'));
});
