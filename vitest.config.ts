import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { scratchInMemory } from './bin/lib/scratch.mjs';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

scratchInMemory();

/** Files that take longer than others begin first, or one worker would be alone with one of them at the end. */
const FIRST = [
  'tests/mundo/corto.test.ts',
  'tests/access.test.ts',
  'tests/api/lineas.test.ts',
  'tests/clienteAnterior/',
  'tests/domain/facturacion/publico/constancia.test.ts',
  'tests/domain/sync/syncListing.test.ts',
  'tests/api/permisos.test.ts',
  'tests/routes/constanciaPublica.test.ts',
  'tests/web.test.ts',
  'tests/bin/senal.test.ts',
];
/** Files with clocks and several processes of their own begin last. */
const LAST = ['tests/faults/', 'tests/entradas/', 'tests/restauracion/', 'tests/despliegue/'];
const rankOf = ({ moduleId }: TestSpecification) => {
  const among = (names: readonly string[]) => names.findIndex((name) => moduleId.startsWith(at(name)));
  const [first, last] = [among(FIRST), among(LAST)];
  return first !== -1 ? first : FIRST.length + 1 + last;
};

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

// Without the Remix plugin: a screen is tested by calling its loader and action.
export default defineConfig({
  resolve: {
    alias: {
      'virtual:bodega': at('./tests/support/virtualBodega.ts'),
      '~db': at('./db'),
      '~jobs': at('./jobs'),
      '~': at('./app'),
    },
  },
  esbuild: { jsx: 'automatic' },
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    exclude: [
      'tests/e2e/**',
      'node_modules/**',
      ...(process.env.FAULTS === 'long' ? [] : ['tests/faults/**/*.long.test.ts']),
      ...(process.env.DESPLIEGUE === 'long' ? [] : ['tests/despliegue/**/*.long.test.ts']),
    ],
    pool: 'forks',
    // Four at once also where there are two cores, which vitest would take for one: a test mostly waits for PostgreSQL and sockets.
    maxWorkers: 4,
    globalSetup: ['tests/support/globalSetup.ts'],
    // One process runs many files; tests/support/fresh.ts gives each of them settings, clock and environment of its own.
    isolate: false,
    sequence: { sequencer: InOrder },
    setupFiles: ['tests/support/fresh.ts', 'tests/support/setup.ts'],
    // Transformed modules are kept by their content: the second step of a run, and the next run, read them from there.
    experimental: { fsModuleCache: true, fsModuleCachePath: at('./.cache/vitest') },
    testTimeout: process.env.FAULTS === 'long' ? 600_000 : 60_000,
    hookTimeout: 60_000,
    // It only ends a wait in vain: what a test waits for may be slow on a machine that has much else to do.
    expect: { poll: { timeout: 15_000 } },
    env: { TZ: 'UTC' },
    css: false,
    // `npm test -- --coverage`. Processes that a test starts, and pages in a browser, are not measured.
    coverage: {
      provider: 'v8',
      include: ['app/**/*.{ts,tsx}', 'db/**/*.ts', 'jobs/**/*.ts'],
      exclude: ['db/migrations/**', 'db/types.ts', '**/*.d.ts'],
      reportsDirectory: 'coverage',
      reporter: ['text-summary', 'json-summary', [at('./tests/support/sinPruebas.cjs'), {}]],
      reportOnFailure: true,
    },
  },
});
