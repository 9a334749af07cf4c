import { ensureBuilt } from '../../../bin/lib/build.mjs';

type Half = 'web' | 'node';

/** Kept by the process and not by the file: what one file found built is built for all that run after it. */
const kept = globalThis as { halvesBuilt?: Partial<Record<Half, Promise<unknown>>> };

/** Builds a half of the product whose sources changed, at the first call of this process. */
export async function builtOnce(half: Half): Promise<void> {
  kept.halvesBuilt ??= {};
  await (kept.halvesBuilt[half] ??= ensureBuilt({ halves: [half] }));
}

/** Arguments of Node for a process that ends with the one that started it, however that ends; its stdin has to be a pipe. */
export const ON_A_LEASH = ['--import', new URL('../../../bin/lib/leash.mjs', import.meta.url).href];
