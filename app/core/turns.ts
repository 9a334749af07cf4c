type Limits = {
  atOnce: number;
  /** How many more may wait; the next one gets `full()`. */
  waiting: number;
  full: () => Error;
};

/** Runs so many pieces of work at once, the others in the order they came, and refuses at once what would wait too long. */
export function createTurns({ atOnce, waiting, full }: Limits): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    else if (line.length >= waiting) throw full();
    else await new Promise<void>((start) => line.push(start));
    try {
      return await work();
    } finally {
      // A turn goes over to the next in line, so nobody slips in between.
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
