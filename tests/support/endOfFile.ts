/**
 * A module is read once for all test files of a process (see `fresh.ts`): a hook of vitest in a module would belong to the first file alone. What a helper
 * has to clean up is told here instead, and `setup.ts` runs it after each file.
 */
const kept = globalThis as { endsOfFile?: Set<() => unknown> };
const ends = (kept.endsOfFile ??= new Set());

/** Runs `end` after each test file of this process from the present one on. `end` has to bear files without anything to clean up. */
export const atEndOfFile = (end: () => unknown): unknown => ends.add(end);

/** Runs whatever helpers left for the end of a file. */
export async function endFile(): Promise<void> {
  for (const end of ends) await end();
}
