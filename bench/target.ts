// What is measured: a service started for it on a data set of its own, or one that is up already.
import { statfs } from 'node:fs/promises';
import { startEmbedded } from '../src/database/embedded.ts';
import { postgresCpuSeconds } from './cpu.ts';
import { bytesNeeded, fillDatabase } from './data-set.ts';
import type { Options } from './options.ts';
import { findCatalogue } from './remote-catalogue.ts';
import type { Catalogue } from './scenario.ts';
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

async function remoteTarget({ url, key }: { url: string; key: string }): Promise<Target> {
  return {
    url,
    key,
    catalogue: await findCatalogue(url, key),
    databaseUrl: undefined,
    postgres: 'unknown',
    cost: async () => ({ service: null, database: null }),
    peakMegabytes: async () => null,
    stop: async () => {},
  };
}
