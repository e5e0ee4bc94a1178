// What is measured: a service started for it on a data set of its own, or one that is up already.
import { statfs } from 'node:fs/promises';
import { verifyCounts } from '../src/cli/verify-counts.ts';
import { connect } from '../src/database/connect.ts';
import { startEmbedded } from '../src/database/embedded.ts';
import { listOrganizationIds } from '../src/inventory/verify-queries.ts';
import { type Catalogue, readCursors } from './catalogue.ts';
import { postgresCpuSeconds } from './cpu.ts';
import { bytesNeeded, fillDatabase } from './data-set.ts';
import type { Options } from './options.ts';
import { findCatalogue } from './remote-catalogue.ts';
import { makeDataDir, startService } from './service.ts';

export interface Target {
  url: string;
  key: string;
  catalogue: Catalogue;
  /** Undefined where the database cannot be reached, and there is no SQL floor. */
  databaseUrl: string | undefined;
  /** Its version. */
  postgres: string;
  cost(): Promise<Cost>;
  /** The most memory that the service has held; null where it is not known. */
  peakMegabytes(): Promise<number | null>;
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
  return options.remote === undefined ? ownTarget(options.orders, told) : remoteTarget(options.remote);
}

async function ownTarget(orders: number, told: (progress: string) => void): Promise<Target> {
  const dataDir = await makeDataDir();
  await requireSpace(dataDir, bytesNeeded(orders), told);
  const service = await startService(dataDir);
  try {
    const database = await startEmbedded(dataDir);
    const { key, catalogue, postgres } = await fillDatabase(database.url, orders, told).catch(
      async (error) => {
        await database.stop();
        throw error;
      },
    );
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
      peakMegabytes: service.peakMegabytes,
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
  const database = connect(databaseUrl, { max: 1, applicationName: 'waybill-bench-counts' });
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
    peakMegabytes: async () => null,
    requireExactCounts: async () => {},
    stop: async () => {},
  };
}
