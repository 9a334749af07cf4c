import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

/** What vitest keeps of a module that it has evaluated. */
type Evaluated = { promise?: unknown; exports?: unknown; evaluated?: boolean; importers: Set<string> };

/**
 * A process runs one test file after another, and keeps node_modules, the product and the impostors loaded: to read them again for each file would cost
 * more than most files do. The few modules of the product that remember settings or a pool forget them between files (`setup.ts`). Helpers of tests are
 * read again: they register hooks of their file. The clock and the environment are the true ones.
 */
const kept = globalThis as unknown as {
  environmentAtStart?: NodeJS.ProcessEnv;
  __vitest_worker__: { evaluatedModules: { idToModuleMap: Map<string, Evaluated> } };
};
const tests = fileURLToPath(new URL('..', import.meta.url));
const impostors = `${tests}sandbox/`;
const self = fileURLToPath(import.meta.url);
for (const [path, module] of kept.__vitest_worker__.evaluatedModules.idToModuleMap) {
  if (!path.startsWith(tests) || path.startsWith(impostors) || path === self) continue;
  module.promise = module.exports = undefined;
  module.evaluated = false;
  module.importers.clear();
}

// A process whose vitest was ended stays in its test for as long as that takes: what the test started would stay with it.
if (!kept.environmentAtStart) process.once('disconnect', () => process.exit(1));
const started = (kept.environmentAtStart ??= { ...process.env });
vi.useRealTimers();
for (const name of Object.keys(process.env)) if (!(name in started)) delete process.env[name];
Object.assign(process.env, started);
