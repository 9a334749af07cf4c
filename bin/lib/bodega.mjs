import { createHash } from 'node:crypto';
import { build } from 'esbuild';
import { at } from './project.mjs';

const NAME = 'virtual:bodega';
const FOLDER = 'app/bodega';
/** Files of the page: script, style sheet, and the reader of codes for browsers without a reader. */
const FILES = { guion: 'bodega.ts', estilo: 'bodega.css', lector: 'lector.ts' };
/** The service worker. Its name never changes, because browsers ask for updates at that name. */
const OBRERO = { source: 'obrero.ts', fileName: 'bodega-obrero.js' };

async function bundle(source, format) {
  const { outputFiles } = await build({
    absWorkingDir: at(),
    entryPoints: [`${FOLDER}/${source}`],
    bundle: true,
    write: false,
    outdir: 'build',
    minify: true,
    define: { 'import.meta.env.SSR': 'false' },
    format,
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles[0].contents;
}

const made = {};
async function make() {
  await Promise.all(
    Object.entries(FILES).map(async ([key, source]) => {
      const contents = await bundle(source, 'esm');
      const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8);
      made[key] = { contents, fileName: `assets/bodega-${key}-${hash}.${source.endsWith('.css') ? 'css' : 'js'}` };
    }),
  );
}

/**
 * Returns the Vite plugin that bundles the warehouse's page apart from the React application. `virtual:bodega` exports
 * the addresses of the files, on the server alone. In dev Vite serves the sources, and there is no service worker.
 */
export function bodega() {
  let dev = false;
  let forServer = false;
  return {
    name: 'bodega',
    configResolved(config) {
      dev = config.command === 'serve';
      forServer = Boolean(config.build.ssr);
    },
    async buildStart() {
      if (dev) return;
      await make();
      if (forServer) return;
      for (const { contents, fileName } of Object.values(made))
        this.emitFile({ type: 'asset', fileName, source: contents });
      this.emitFile({ type: 'asset', fileName: OBRERO.fileName, source: await bundle(OBRERO.source, 'iife') });
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const addresses = Object.entries(FILES).map(([key, source]) => [
        key,
        dev ? `/${FOLDER}/${source}${source.endsWith('.css') ? '?direct' : ''}` : `/${made[key].fileName}`,
      ]);
      return `export default ${JSON.stringify({ ...Object.fromEntries(addresses), obrero: dev ? null : `/${OBRERO.fileName}` })};`;
    },
  };
}
