type Waiting<T> = { item: T; done: () => void; failed: (error: unknown) => void };

/**
 * Work on one thing that is cheaper on many: whatever comes while the last ones are worked on goes together into the next turn. Nothing waits that could go at once.
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
