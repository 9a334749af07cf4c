import { vi } from 'vitest';

/**
 * A process runs one test file after another and keeps the modules that it has read, since to read all of them again costs more than most files do. Each
 * file still begins as the first one did: with the true clock, environment and globals. Settings and pools follow in `setup.ts`.
 */
const kept = globalThis as { environmentAtStart?: NodeJS.ProcessEnv; __vitest_worker__?: { filepath?: string } };

// A process whose vitest was ended stays in its test for as long as that takes: what the test started would stay with it.
if (!kept.environmentAtStart) process.once('disconnect', () => process.exit(1));
const started = (kept.environmentAtStart ??= { ...process.env });
vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllGlobals();
for (const name of Object.keys(process.env)) if (!(name in started)) delete process.env[name];
Object.assign(process.env, started);

/** Returns the path of the test file that begins. Vitest's own `expect` still tells the file before, where that file reset its modules. */
export const fileUnderTest = (): string => kept.__vitest_worker__?.filepath ?? '';
