type Limits = {
  atOnce: number;
  /** Most callers that may wait; a further caller gets the error of `full()`. Absent: no limit. */
  waiting?: number;
  full?: () => Error;
};

/** Slots for work; see `createSlots`. */
export type Slots = {
  /** Waits for a slot and returns the function that gives the slot back. Giving back twice does nothing more. */
  take(): Promise<() => void>;
  /** Runs a piece of work in a slot of its own. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

/**
 * Makes slots of this process: at most `atOnce` pieces of work run, and further callers wait in the order of their
 * arrival. Throws `full()` to a caller who finds the line full.
 */
export function createSlots({ atOnce, waiting = Infinity, full }: Limits): Slots {
  const line: (() => void)[] = [];
  let inUse = 0;
  async function take(): Promise<() => void> {
    if (inUse < atOnce) inUse += 1;
    else if (line.length >= waiting) throw full?.() ?? new Error('no slot is free');
    else await new Promise<void>((start) => line.push(start));
    let given = false;
    return () => {
      if (given) return;
      given = true;
      // The slot goes straight to the next in line, so no newcomer slips in between.
      const next = line.shift();
      if (next) next();
      else inUse -= 1;
    };
  }
  return {
    take,
    async run(work) {
      const giveBack = await take();
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };
}
