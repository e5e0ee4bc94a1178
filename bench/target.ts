// What is measured: a service started for it on a data set of its own, or one that is up already.
import { readFile, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyCounts } from '../src/cli/verify-counts.ts';
import { connect } from '../src/database/connect.ts';
import { startEmbedded } from '../src/database/embedded.ts';
import { listOrganizationIds } from '../src/inventory/verify-queries.ts';
import { type Catalogue, readCursors } from './catalogue.ts';
import { postgresCpuSeconds } from './cpu.ts';
import { bytesNeeded, type DataSet, fillDatabase } from './data-set.ts';
import type { Options } from './options.ts';
import { findCatalogue } from './remote-catalogue.ts';
import { type DataDir, type Megabytes, makeDataDir, startService } from './service.ts';

export interface Target {
  url: string;
  key: string;
  catalogue: Catalogue;
  /** Undefined where the database cannot be reached, and there is no SQL floor. */
  databaseUrl: string | undefined;
  /** Its version. */
  postgres: string;
  cost(): Promise<Cost>;
  /** Null where it is not known. */
  megabytes(): Promise<Megabytes | null>;
  /** @throws where a count that lists keep is not what is there */
  requireExactCounts(): Promise<void>;
  stop(): Promise<void>;
}

/** Seconds of CPU so far; null where they are not known. */
export interface Cost {
  service: number | null;
  database: number | null;
}

export async function openTarget(options: Options, told: (progress: string) => void): Promise<Target> {
  return options.remote === undefined ? ownTarget(options, told) : remoteTarget(options.remote);
}

async function ownTarget({ orders, data }: Options, told: (progress: string) => void): Promise<Target> {
  const dataDir = await makeDataDir(data);
  const found = await findDataSet(dataDir, orders);
  if (found === undefined) await requireSpace(dataDir.path, bytesNeeded(orders), told);
  const service = await startService(dataDir);
  try {
    const database = await startEmbedded(dataDir.path);
    const filled = found ?? withoutAutovacuum(database.url, () => fillDatabase(database.url, orders, told));
    const { key, catalogue, postgres } = await Promise.resolve(filled).catch(async (error) => {
      await database.stop();
      throw error;
    });
    if (found === undefined) await noteDataSet(dataDir, { orders, key, catalogue, postgres });
    await readCursors(catalogue, async (path) => {
      const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });
      return (await answer.json()) as { nextCursor: string };
    });
    return {
      url: service.url,
      key,
      catalogue,
      databaseUrl: database.url,
      postgres,
      cost: async () => ({
        service: await service.cpuSeconds(),
        database: await postgresCpuSeconds(database.directory),
      }),
      megabytes: service.megabytes,
      requireExactCounts: () => requireExactCounts(database.url, told),
      async stop() {
        await database.stop();
        await service.stop();
      },
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

interface NotedDataSet extends DataSet {
  orders: number;
}

const noteOf = (dataDir: DataDir) => join(dataDir.path, 'data-set.json');

/** @throws where the folder holds a data set of another size */
async function findDataSet(dataDir: DataDir, orders: number): Promise<DataSet | undefined> {
  const text = await readFile(noteOf(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const found: NotedDataSet = JSON.parse(text);
  if (found.orders !== orders) throw new Error(`${dataDir.path} holds a data set of ${found.orders} orders`);
  return found;
}

function noteDataSet(dataDir: DataDir, dataSet: NotedDataSet): Promise<void> {
  return writeFile(noteOf(dataDir), JSON.stringify(dataSet));
}

/** It would read again and again what is being written; all is vacuumed at the end. */
async function withoutAutovacuum<Result>(databaseUrl: string, work: () => Promise<Result>): Promise<Result> {
  const database = connect(databaseUrl, { max: 1, applicationName: 'waybill-bench-settings' });
  const change = async (statement: string) => {
    await database.pool.query(statement);
    await database.pool.query('select pg_reload_conf()');
  };
  try {
    await change('alter system set autovacuum = off');
    const result = await work();
    await change('alter system reset autovacuum');
    return result;
  } finally {
    await database.close();
  }
}

/** @throws when the disk is too small for the data set */
async function requireSpace(folder: string, bytes: number, told: (progress: string) => void): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const gigabytes = (value: number) => `${(value / 1e9).toFixed(1)} GB`;
  told(`the data set needs ${gigabytes(bytes)} of disk in ${folder}; ${gigabytes(bavail * bsize)} are free`);
  if (bavail * bsize < bytes) {
    throw new Error(`${folder} is too small: TMPDIR chooses another place`);
  }
}

async function requireExactCounts(databaseUrl: string, told: (progress: string) => void): Promise<void> {
  const database = connect(databaseUrl, { max: 1, patient: true, applicationName: 'waybill-bench-counts' });
  try {
    const { checkedCounts, countDifferences } = await verifyCounts(
      database,
      await listOrganizationIds(database),
    );
    if (countDifferences.length > 0) {
      throw new Error(`counts that lists keep are not what is there: ${JSON.stringify(countDifferences)}`);
    }
    told(`${checkedCounts} counts that lists keep are what is there`);
  } finally {
    await database.close();
  }
}

async function remoteTarget({ url, key }: { url: string; key: string }): Promise<Target> {
  return {
    url,
    key,
    catalogue: await findCatalogue(url, key),
    databaseUrl: undefined,
    postgres: 'unknown',
    cost: async () => ({ service: null, database: null }),
    megabytes: async () => null,
    requireExactCounts: async () => {},
    stop: async () => {},
  };
}
