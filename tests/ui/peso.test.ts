import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../../bin/lib/build.mjs';

const CLIENT = fileURLToPath(new URL('../../build/client', import.meta.url));

type Part = { module: string; imports?: string[] };
type Manifest = { url: string; entry: Part; routes: Record<string, Part> };
let manifest: Manifest;

beforeAll(async () => {
  await ensureBuilt({ halves: ['web'] });
  const name = readdirSync(`${CLIENT}/assets`).find((file) => /^manifest-.*\.js$/.test(file))!;
  const text = readFileSync(`${CLIENT}/assets/${name}`, 'utf8');
  manifest = JSON.parse(text.replace(/^window\.__remixManifest=/, '').replace(/;\s*$/, '')) as Manifest;
}, 300_000);

/** As it is served: in brotli where the build made it. */
const served = (path: string) => statSync(CLIENT + (existsSync(`${CLIENT}${path}.br`) ? `${path}.br` : path)).size;

/** What a browser that was never here fetches of JavaScript before a screen of sa's works, in bytes. */
function weightOf(screen: string): number {
  const parts = [manifest.entry, ...['root', 'sa', `sa/${screen}`].map((id) => manifest.routes[id]!)];
  const files = new Set([manifest.url, ...parts.flatMap(({ module, imports = [] }) => [module, ...imports])]);
  return [...files].filter((path) => path.endsWith('.js')).reduce((sum, path) => sum + served(path), 0);
}

/** What each kind of page may fetch, in kB. They go down: what makes a page lighter lowers its figure here. */
test.each([
  ['home', 160],
  ['ordenes', 188],
  ['facturasClientes', 180],
  ['usuarios', 177],
  ['facturacion', 175],
])('%s fetches at most %i kB of JavaScript', (screen, most) => {
  const weight = weightOf(screen);
  expect(weight).toBeGreaterThan(80_000);
  expect(weight / 1_000).toBeLessThanOrEqual(most);
});
