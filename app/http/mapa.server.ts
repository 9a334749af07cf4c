import type { ServerBuild } from '@remix-run/node';

/** A file of a common chunk, as bin/lib/trozos.mjs names them. */
const COMUN = /^\/assets\/(base|marco|tabla)-[\w-]{8}\.js$/;

/** Returns the import map of the pages that React runs: chunks import the common ones by a name that stays when the file changes. */
export function importMap({ entry, routes }: ServerBuild['assets']): string {
  const files = [entry, ...Object.values(routes)].flatMap(({ module, imports = [] }) => [module, ...imports]);
  const imports = Object.fromEntries(
    files.flatMap((file) => {
      const name = COMUN.exec(file)?.[1];
      return name === undefined ? [] : [[`#${name}`, file]];
    }),
  );
  return JSON.stringify({ imports });
}
