import { createHash } from 'node:crypto';
import { build } from 'esbuild';
import { at } from './project.mjs';

const NAME = 'virtual:bodega';
const FOLDER = 'app/bodega';
/** Its page, its sheet, and the reader of codes that is fetched where the browser has none. */
const FILES = { guion: 'bodega.ts', estilo: 'bodega.css', lector: 'lector.ts' };
/** A service worker has one name for good: browsers ask at that name whether there is a newer one. */
const OBRERO = { source: 'obrero.ts', fileName: 'bodega-obrero.js' };

async function bundle(source, format) {
  const { outputFiles } = await build({
    absWorkingDir: at(),
    entryPoints: [`${FOLDER}/${source}`],
    bundle: true,
    write: false,
    outdir: 'build',
    minify: true,
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
 * Vite: the files of the warehouse's page, apart from everything React runs. `virtual:bodega` exports their addresses, on the server alone. In dev Vite serves the
 * sources as they are, and there is no service worker.
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
