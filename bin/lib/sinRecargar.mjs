const FILE = '/@remix-run/react/dist/esm/routeModules.js';
const RELOADS = 'window.location.reload();';
const TELLS = `window.sinArchivos?.() || ${RELOADS}`;

/**
 * Returns the Vite plugin that keeps the page where the files of a screen do not arrive. Remix reloads the page there, and without a network the browser's own
 * page stands in its place; `app/ui/enlaces.ts` waits for the network instead, where it runs already. The build fails when Remix no longer has that line.
 */
export function sinRecargar() {
  return {
    name: 'sin-recargar',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith(FILE)) return undefined;
      if (code.split(RELOADS).length !== 2) this.error(`${FILE} does not hold once: ${RELOADS}`);
      return { code: code.replace(RELOADS, TELLS), map: null };
    },
  };
}
