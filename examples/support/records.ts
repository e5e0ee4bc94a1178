// Records of the service as examples make and find them.
import type { Client } from './client.ts';

export interface Named {
  id: string;
  name: string | null;
}

/** The envelope of one record. */
export interface Single<T> {
  data: T;
}

/** The first record of a list with this name. */
export async function findNamed(client: Client, path: string, name: string): Promise<Named | null> {
  for await (const record of client.list<Named>(path)) if (record.name === name) return record;
  return null;
}

/** Sends a write under its key, and returns the record. */
export async function create<T>(client: Client, path: string, key: string, body: object): Promise<T> {
  const answer = await client.post<Single<T>>(path, key, body);
  return answer.body.data;
}
