import { createHash } from 'node:crypto';
import { build } from 'esbuild';
import { at } from './project.mjs';

const NAME = 'virtual:publico';
const SOURCE = 'app/ui/publico/publico.ts';

/**
 * Returns the Vite plugin that bundles the single script of the public pages. `virtual:publico` exports the name of the
 * file, on the server alone. In dev Vite serves the source.
 */
export function publico() {
  let dev = false;
  let forServer = false;
  return {
    name: 'publico',
    configResolved(config) {
      dev = config.command === 'serve';
      forServer = Boolean(config.build.ssr);
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      if (dev) return `export default '/${SOURCE}';`;
      const { outputFiles } = await build({
        absWorkingDir: at(),
        entryPoints: [SOURCE],
        bundle: true,
        write: false,
        minify: true,
        define: { 'import.meta.env.SSR': 'false' },
        format: 'esm',
        target: 'es2021',
        legalComments: 'none',
        logLevel: 'warning',
      });
      const [{ contents }] = outputFiles;
      const fileName = `assets/publico-${createHash('sha256').update(contents).digest('hex').slice(0, 8)}.js`;
      // Only the server writes a page of the script, and a browser would fetch all again when the script changes.
      if (!forServer) {
        this.emitFile({ type: 'asset', fileName, source: contents });
        return `export default '';`;
      }
      return `export default '/${fileName}';`;
    },
  };
}
