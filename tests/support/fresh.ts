import { vi } from 'vitest';

/**
 * A process runs one test file after another: to start it and to load node_modules costs more than most files do. Each file still begins as the first
 * one did. Our modules are read again, so that settings and pools are the file's own, and the clock and the environment are the true ones.
 */
const kept = globalThis as { environmentAtStart?: NodeJS.ProcessEnv };

// A process whose vitest was ended stays in its test for as long as that takes: what the test started would stay with it.
if (!kept.environmentAtStart) process.once('disconnect', () => process.exit(1));
const started = (kept.environmentAtStart ??= { ...process.env });
vi.resetModules();
vi.useRealTimers();
for (const name of Object.keys(process.env)) if (!(name in started)) delete process.env[name];
Object.assign(process.env, started);
