import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './bin/lib/browser.mjs';
import { scratchInMemory } from './bin/lib/scratch.mjs';
import { quietPort } from './bin/lib/settings.mjs';

// Read again by every worker: what the first reading chose stays in the environment.
const env = process.env;
scratchInMemory();
env.E2E_PORT ??= String(await quietPort());
env.E2E_SANDBOX_PORT ??= String(await quietPort());
env.E2E_SMTP_PORT ??= String(await quietPort());
if (!env.E2E_DATA_DIR) {
  env.E2E_DATA_DIR = mkdtempSync(join(tmpdir(), 'trastienda-e2e-'));
  chmodSync(env.E2E_DATA_DIR, 0o755);
}
const url = `http://127.0.0.1:${env.E2E_PORT}`;

/** Hurried hands: `npm run test:manos` tells them ten times over, five in each theme. */
const MANOS = /manos\.spec\.ts$/;

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  // They only end a wait in vain: a page on a machine that has much else to do is slow, and not wrong.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  fullyParallel: false,
  workers: 2,
  // A story that fails once has failed.
  retries: 0,
  // Every run tells the short form: `npm run test:historias` tells all of them.
  ...(env.E2E_LARGAS ? {} : { grepInvert: /@larga/ }),
  forbidOnly: Boolean(env.CI),
  reporter: 'list',
  projects: [
    // The longest file begins first: at the end it would have one worker to itself while the other is idle.
    { name: 'manos', testMatch: MANOS, use: { colorScheme: 'light' } },
    { name: 'historias', testIgnore: MANOS },
    // In the dark too, where they are asked for by themselves: the suite tells them once.
    ...(env.E2E_TEMAS ? [{ name: 'manosOscuro', testMatch: MANOS, use: { colorScheme: 'dark' as const } }] : []),
  ],
  use: {
    baseURL: url,
    // What cannot be pressed is told while the story has time for another try.
    actionTimeout: 60_000,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Recording every page costs a fifth of the run: asked for when a failure has to be looked at.
    trace: env.E2E_TRACE ? 'retain-on-failure' : 'off',
    // As «HeadlessChrome» the server would take us for a bot and stream nothing.
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    launchOptions: {
      executablePath: await findBrowser(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-dev-shm-usage',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page is drawn by few processes: none is started only to draw, nor kept ready for a page that nobody opens.
        '--in-process-gpu',
        '--renderer-process-limit=2',
      ],
    },
  },
  webServer: {
    // exec: without it the shell, not the launcher, would get the signal.
    command: 'exec node bin/trastienda.mjs start',
    url: `${url}/healthcheck`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
    env: {
      // Whoever is killed stops nothing: the product ends by itself with the run.
      ARRANCADO_POR: [env.ARRANCADO_POR, process.pid].filter(Boolean).join(','),
      PORT: env.E2E_PORT,
      SANDBOX_PORT: env.E2E_SANDBOX_PORT,
      SANDBOX_SMTP_PORT: env.E2E_SMTP_PORT,
      DATA_DIR: env.E2E_DATA_DIR,
      DATABASE_URL: '',
      APP_URL: '',
      // A slow machine takes longer over all stories than people go without a proof.
      PRUEBA_MINUTOS: '240',
    },
  },
});
