import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { at } from './project.mjs';

/** React and Remix: a new version of our code does not change this chunk, so browsers keep the chunk. */
const BASE =
  /commonjsHelpers|\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|turbo-stream|@remix-run\/[^/]+)\//;
/** Parts of Mantine in every area. Other parts go with the screens that show them. */
const MARCO =
  /vite\/preload-helper|virtual:publico|\/clsx\/|\/@mantine\/hooks\/|\/@mantine\/core\/esm\/(core|components\/(UnstyledButton|Input|InputBase|TextInput|CloseButton))\//;
const FORMULARIO = /\/@conform-to\//;
/** Fetched once a page is still: by itself Rollup joins them to the entry, which is fetched first. */
const VITALES = /\/app\/ui\/(?:vitales|enlaces|despues)\.ts$|\/node_modules\/web-vitals\//;

/**
 * The entry acts at once when loaded, so the entry stays in a file of its own: its dependencies, shared with the
 * screens, have to be loaded first.
 */
const ENTRADA = 'app/entry.client.tsx';

/** Chunks by name: these files, with all of our files that they import and no chunk above has. */
const TROZOS = {
  // Files after the area serve public pages too, and no file here belongs to a list.
  marco: [
    ENTRADA,
    'app/root.tsx',
    'app/routes/area/area.tsx',
    'app/ui/Dialog.tsx',
    'app/ui/Estatus.tsx',
    'app/ui/FechaInput.tsx',
    'app/ui/Pesos.tsx',
    'app/ui/TablaCaja.tsx',
    'app/ui/useColgado.ts',
    'app/ui/useFilled.ts',
    'app/core/importe.ts',
    'app/core/money.ts',
    'app/core/text.ts',
    // Every page fetches them anyhow, and in files of their own they weigh more.
    'app/domain/compras/stock/pieza.ts',
    'app/domain/ventas/ordenes/queda.ts',
  ],
  tabla: ['app/ui/DataTable.tsx', 'app/ui/RangoFechas.tsx'],
  // By itself Rollup joins it to what every list fetches, and only four panels show it.
  presencia: ['app/ui/ficha/Presencia.tsx'],
  // By itself Rollup joins it to what 'Hoy' fetches, which shows none.
  retrato: ['app/ui/lista/ConRetrato.tsx'],
  formulario: ['app/ui/useActionForm.tsx', 'app/ui/Field.tsx', 'app/ui/Telefono.tsx'],
};

/**
 * Returns Rollup's `manualChunks`. By itself Rollup makes files of some hundred bytes, or joins unrelated modules by
 * size. Modules without a name here are divided by their importers.
 */
export function trozos() {
  let known;
  return (id, { getModuleInfo }) => {
    if (BASE.test(id)) return 'base';
    if (MARCO.test(id)) return 'marco';
    if (FORMULARIO.test(id)) return 'formulario';
    if (VITALES.test(id)) return 'vitales';
    known ??= reach(getModuleInfo);
    return known.get(id);
  };
}

function reach(getModuleInfo) {
  const known = new Map();
  for (const [trozo, files] of Object.entries(TROZOS)) {
    const waiting = files.map((file) => at(file));
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (known.has(id) || id.includes('/node_modules/') || !id.includes('/app/')) continue;
      known.set(id, id === at(ENTRADA) ? undefined : trozo);
      waiting.push(...(getModuleInfo(id)?.importedIds ?? []));
    }
  }
  return known;
}

/**
 * Chunks that most others import. They are imported by a name that stays ('#marco'), which the import map of each page
 * leads to the file: named by its file, a chunk that changes would change the name of each chunk that imports it.
 */
const COMUNES = ['base', 'marco', 'tabla'];
const IMPORT = new RegExp(`(["'])\\./(${COMUNES.join('|')})-!~\\{[\\w$]+\\}~\\.js\\1`, 'g');
const FILE = new RegExp(`^assets/(?:${COMUNES.join('|')})-[\\w-]{8}\\.js$`);

/** What a lazy import fetches along. A common chunk is there with the page, or comes by its name. */
export const sinComunes = (files) => files.filter((file) => !FILE.test(file));

/** Returns the Vite plugin that lets chunks import the common ones by name. app/http/mapa.server.ts writes the map. */
export function comunes() {
  let sheets;
  return {
    name: 'comunes',
    apply: 'build',
    buildEnd() {
      const hash = createHash('sha256');
      const ids = [...this.getModuleIds()].filter((id) => id.endsWith('.css'));
      for (const id of ids.sort()) hash.update(readFileSync(id));
      sheets = hash.digest('hex');
    },
    // Before the names of files are made of their content, the place of a name is held by '!~{001}~'.
    renderChunk: (code) => ({ code: code.replace(IMPORT, '$1#$2$1'), map: null }),
    // A chunk names the sheets of what it imports lazily, those of common chunks too.
    augmentChunkHash: ({ dynamicImports }) => (dynamicImports.length > 0 ? sheets : undefined),
    generateBundle(_options, bundle) {
      const common = Object.values(bundle).filter(({ fileName }) => FILE.test(fileName));
      const other = common.flatMap(({ fileName, imports }) =>
        sinComunes(imports).map((file) => `${fileName} → ${file}`),
      );
      // What a common chunk imports is named in no chunk that imports it, so its name would change unseen.
      if (other.length > 0) this.error(`Los trozos comunes solo importan comunes: ${other.join(', ')}`);
    },
  };
}
