import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { scratchInMemory } from './bin/lib/scratch.mjs';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

scratchInMemory();

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
    ],
    pool: 'forks',
    // Four at once also where there are two cores, which vitest would take for one: a test mostly waits for PostgreSQL and sockets.
    maxWorkers: 4,
    globalSetup: ['tests/support/globalSetup.ts'],
    // One process runs many files; tests/support/fresh.ts gives each of them modules, clock and environment of its own.
    isolate: false,
    setupFiles: ['tests/support/fresh.ts', 'tests/support/setup.ts'],
    testTimeout: process.env.FAULTS === 'long' ? 600_000 : 60_000,
    hookTimeout: 60_000,
    // It only ends a wait in vain: what a test waits for may be slow on a machine that has much else to do.
    expect: { poll: { timeout: 15_000 } },
    env: { TZ: 'UTC' },
    css: false,
  },
});
