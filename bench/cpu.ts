// Processor time that processes have used, as Linux counts it.
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

let ticksPerSecond: number | undefined;

/** Seconds of a process; with `children`, of those it has and had too. Null on systems without /proc. */
export async function cpuSeconds(pid: number, options: { children?: boolean } = {}): Promise<number | null> {
  const own = await readTimes(pid);
  if (own === undefined) return null;
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK']));
  let ticks = own.ticks;
  if (options.children === true) {
    ticks += own.ticksOfEnded;
    for (const name of await readdir('/proc')) {
      const other = /^\d+$/.test(name) ? await readTimes(Number(name)) : undefined;
      if (other?.parent === pid) ticks += other.ticks;
    }
  }
  return ticks / ticksPerSecond;
}

async function readTimes(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name, in brackets, may hold anything; the state follows it.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent, utime, stime, cutime, cstime] = [fields[1]!, ...fields.slice(11, 15)] as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { parent, ticks: utime + stime, ticksOfEnded: cutime + cstime };
}

/** The server that keeps its files in `directory`, with all its processes. */
export async function postgresCpuSeconds(directory: string): Promise<number | null> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid] = text.split('\n');
  return pid === undefined || pid === '' ? null : cpuSeconds(Number(pid), { children: true });
}
