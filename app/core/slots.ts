type Limits = {
  atOnce: number;
  /** How many more may wait; the next one gets `full()`. Absent: all of them wait. */
  waiting?: number;
  full?: () => Error;
};

export type Slots = {
  /** Waits for a slot and returns how to give it back. A second give-back of the same slot does nothing. */
  take(): Promise<() => void>;
  /** Runs a piece of work in a slot of its own. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

/** Slots of one process: so many pieces of work run at once, the others in the order they came, and one that would wait too long is refused at once. */
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
      // A slot goes over to the next in line, so nobody slips in between.
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
