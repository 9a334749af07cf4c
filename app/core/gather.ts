type Waiting<T> = { item: T; done: () => void; failed: (error: unknown) => void };

/**
 * Returns a function that works on a single item, in turns shared with other callers. Items that arrive during a turn
 * go together into the next turn, at most `most` per turn. The first item starts at once. A failed turn rejects the
 * promise of each of its items.
 */
export function gathering<T>(work: (items: T[]) => Promise<void>, most = 200): (item: T) => Promise<void> {
  let waiting: Waiting<T>[] = [];
  let running = false;
  async function run() {
    running = true;
    while (waiting.length > 0) {
      const turn = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        await work(turn.map(({ item }) => item));
        for (const { done } of turn) done();
      } catch (error) {
        for (const { failed } of turn) failed(error);
      }
    }
    running = false;
  }
  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (!running) void run();
    });
}
