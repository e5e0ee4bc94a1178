// Runs jobs a few at a time: whoever adds one waits for a free place, and hears of the first failure.
export interface Lane {
  add(job: () => Promise<void>): Promise<void>;
  /** Resolves when everything added has ended. */
  done(): Promise<void>;
}

export function createLane(places: number): Lane {
  const running = new Set<Promise<void>>();
  let failed: { error: unknown } | null = null;

  function raise(): void {
    if (failed) throw failed.error;
  }

  async function add(job: () => Promise<void>): Promise<void> {
    while (running.size >= places) await Promise.race(running);
    raise();
    const run = job()
      .catch((error: unknown) => {
        failed ??= { error };
      })
      .finally(() => running.delete(run));
    running.add(run);
  }

  async function done(): Promise<void> {
    await Promise.all(running);
    raise();
  }

  return { add, done };
}
