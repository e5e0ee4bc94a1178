// Every environment variable of the service: what it takes, what it is when left out, and what it is for.
import { resolve } from 'node:path';
import * as limits from './limits.ts';
import { StartError } from './start-error.ts';

export interface Config {
  host: string;
  port: number;
  /** Absolute. */
  dataDir: string;
  /** Undefined: the service runs a PostgreSQL of its own under `dataDir`. */
  databaseUrl: string | undefined;
  environment: 'live' | 'test';
  demo: boolean;
  logLevel: string;
  processes: number;
  /** Connections of one process. */
  poolSize: number;
  /** Requests a second for one key and organisation. */
  rateLimit: number;
  /** Lower case. */
  clientHeader: string | undefined;
  webhookAllowPrivate: boolean;
  /** Without a slash at its end. */
  easypostUrl: string;
  /** Days. */
  eventRetentionDays: number;
  /** Undefined: server.ts takes it from `<dataDir>/secret`, which it makes when it is missing. */
  secret: string | undefined;
}

interface Variable<T> {
  default: string | undefined;
  /** Ends the sentence "NAME must be". */
  expects: string;
  /** Undefined when the text is not what is expected. */
  parse: (text: string) => T | undefined;
  description: string;
  /** Its value must not appear in messages. */
  confidential?: boolean;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const minimumSecretLength = 32;

/** The one table of variables. */
export const variables = {
  WAYBILL_HOST: {
    default: '127.0.0.1',
    expects: 'a host name or an address',
    parse: matching(/^[^\s/]+$/),
    description: 'Address to listen on; 0.0.0.0 or :: for every interface',
  },
  WAYBILL_PORT: {
    default: '3000',
    ...integer(0, 65_535),
    description: 'Port to listen on; 0 takes any free one and prints it',
  },
  WAYBILL_DATA_DIR: {
    default: '.waybill',
    expects: 'a folder',
    parse: (text) => resolve(text),
    description:
      'Folder of everything the service keeps on disk: its own PostgreSQL, the secret, the demo key',
  },
  DATABASE_URL: {
    default: undefined,
    expects: 'an address like postgres://user:password@host:5432/database',
    parse: (text) => (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
    description: 'PostgreSQL 15 or newer to use; without it the service runs its own',
    confidential: true,
  },
  WAYBILL_ENVIRONMENT: {
    default: 'live',
    ...oneOf('live', 'test'),
    description: 'test: carriers are simulated and only wb_test_ keys are accepted',
  },
  WAYBILL_DEMO: {
    default: '1',
    ...flag(),
    description: 'Whether an empty database gets the organisation demo with a key and a few products',
  },
  WAYBILL_LOG_LEVEL: {
    default: 'info',
    ...oneOf(...logLevels),
    description: 'Least severe level that is logged',
  },
  WAYBILL_PROCESSES: {
    default: '1',
    ...integer(1, 256),
    description: 'Processes that answer requests',
  },
  WAYBILL_POOL_SIZE: {
    default: String(limits.poolSize),
    ...integer(1, 1000),
    description: 'Database connections of each process',
  },
  WAYBILL_RATE_LIMIT: {
    default: String(limits.requestsPerSecond),
    ...integer(1, 1_000_000),
    description: 'Requests a second for one key and organisation, in each process; bursts may be twice that',
  },
  WAYBILL_CLIENT_HEADER: {
    default: undefined,
    expects: 'a header name such as X-Tenant',
    parse: (text) => (/^[\w!#$%&'*+.^`|~-]+$/.test(text) ? text.toLowerCase() : undefined),
    description: 'A further header that is read like X-Service-Client',
  },
  WAYBILL_WEBHOOK_ALLOW_PRIVATE: {
    default: '0',
    ...flag(),
    description: 'Whether webhooks may go to http and to private addresses',
  },
  WAYBILL_EASYPOST_URL: {
    default: 'https://api.easypost.com/v2',
    expects: 'an http or https address without a query',
    parse: (text) =>
      /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(text) && URL.canParse(text)
        ? text.replace(/\/+$/, '')
        : undefined,
    description: "Where EasyPost's API is, for carrier accounts of that kind",
  },
  WAYBILL_EVENT_RETENTION_DAYS: {
    default: String(limits.eventRetentionDays),
    ...integer(1, 3650),
    description: 'Days that events and webhook deliveries are kept',
  },
  WAYBILL_SECRET: {
    default: undefined,
    expects: `${minimumSecretLength} characters or more`,
    parse: (text) => (text.length >= minimumSecretLength ? text : undefined),
    description:
      'Encrypts carrier credentials and webhook secrets; made once and kept in <data dir>/secret when left out',
    confidential: true,
  },
} as const satisfies Record<string, Variable<unknown>>;

type Name = keyof typeof variables;
type Value<N extends Name> = Exclude<ReturnType<(typeof variables)[N]['parse']>, undefined>;

/** Reads the environment. One StartError names everything that is wrong with it. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const optional = <N extends Name>(name: N): Value<N> | undefined => {
    const variable: Variable<unknown> = variables[name];
    // Compose files and .env files leave a variable empty to leave it out.
    const text = env[name] || variable.default;
    if (text === undefined) return undefined;
    const value = variable.parse(text);
    if (value === undefined) problems.push(wrongValue(name, variable, text));
    return value as Value<N> | undefined;
  };
  // Where it is undefined in spite of a default there is a problem, and the object is never returned.
  const required = <N extends Name>(name: N): Value<N> => optional(name) as Value<N>;
  const config: Config = {
    host: required('WAYBILL_HOST'),
    port: required('WAYBILL_PORT'),
    dataDir: required('WAYBILL_DATA_DIR'),
    databaseUrl: optional('DATABASE_URL'),
    environment: required('WAYBILL_ENVIRONMENT'),
    demo: required('WAYBILL_DEMO'),
    logLevel: required('WAYBILL_LOG_LEVEL'),
    processes: required('WAYBILL_PROCESSES'),
    poolSize: required('WAYBILL_POOL_SIZE'),
    rateLimit: required('WAYBILL_RATE_LIMIT'),
    clientHeader: optional('WAYBILL_CLIENT_HEADER'),
    webhookAllowPrivate: required('WAYBILL_WEBHOOK_ALLOW_PRIVATE'),
    easypostUrl: required('WAYBILL_EASYPOST_URL'),
    eventRetentionDays: required('WAYBILL_EVENT_RETENTION_DAYS'),
    secret: optional('WAYBILL_SECRET'),
  };
  problems.push(...unknownVariables(env));
  if (problems.length > 0) throw new StartError(problems.join('; '));
  return config;
}

function wrongValue(name: string, variable: Variable<unknown>, text: string): string {
  const problem = `${name} must be ${variable.expects}`;
  if (variable.confidential) return problem;
  // Kubernetes tells every pod about a Service named "waybill" in variables of this very name.
  const hint = text.startsWith('tcp://') ? ' (set by Kubernetes: use enableServiceLinks: false)' : '';
  return `${problem}, not ${JSON.stringify(text)}${hint}`;
}

const kubernetesNames = /^WAYBILL_(SERVICE_|PORT_\d+_)/;

function unknownVariables(env: NodeJS.ProcessEnv): string[] {
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('WAYBILL_') && !(name in variables) && !kubernetesNames.test(name),
  );
  if (unknown.length === 0) return [];
  const known = Object.keys(variables).join(', ');
  return [`no such variable: ${unknown.sort().join(', ')} (there are ${known})`];
}

function matching(form: RegExp) {
  return (text: string) => (form.test(text) ? text : undefined);
}

function integer(least: number, most: number) {
  return {
    expects: `a whole number from ${least} to ${most}`,
    parse: (text: string) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

function oneOf<const T extends string>(...values: T[]) {
  return {
    expects: `one of ${values.join(', ')}`,
    parse: (text: string) => values.find((value) => value === text),
  };
}

function flag() {
  return {
    expects: '0 or 1',
    parse: (text: string) => (text === '0' || text === '1' ? text === '1' : undefined),
  };
}
