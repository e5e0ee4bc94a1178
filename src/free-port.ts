// Finds a port that no program uses at this moment.
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the range that systems take for outgoing connections, where a client could hold it for a moment, and where
// connecting to a port that nobody listens on can end in a connection with oneself.
const lowest = 15_000;
const highest = 32_000;
const attempts = 50;

export async function freePort(host: string): Promise<number> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(host, port)) return port;
  }
  throw new Error(`found no free port on ${host}`);
}

async function isFree(host: string, port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}
