import { setTimeout as sleep } from 'node:timers/promises';

/** Does something again and again beside a test. What is returned ends it, and waits for what is under way: it must not outlive its database. */
export function doBeside(everyMs: number, work: () => Promise<unknown>): () => Promise<void> {
  let over = false;
  const doing = (async () => {
    while (!over) {
      await work();
      await sleep(everyMs);
    }
  })();
  // Told by the end: until then nobody waits for it.
  doing.catch(() => {});
  return () => {
    over = true;
    return doing;
  };
}
