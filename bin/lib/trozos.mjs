import { at } from './project.mjs';

/** React and Remix: a new version of our code does not change this chunk, so browsers keep the chunk. */
const BASE =
  /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|turbo-stream|@remix-run\/[^/]+)\//;
/** Parts of Mantine in every area. Other parts go with the screens that show them. */
const MARCO =
  /vite\/preload-helper|virtual:publico|\/clsx\/|\/@mantine\/hooks\/|\/@mantine\/core\/esm\/(core|components\/(UnstyledButton|Input|InputBase|TextInput|CloseButton))\//;
const FORMULARIO = /\/@conform-to\//;

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
    'app/ui/useColgado.ts',
    'app/ui/useFilled.ts',
    'app/core/importe.ts',
    'app/core/money.ts',
    'app/core/text.ts',
  ],
  lista: ['app/ui/DataTable.tsx', 'app/ui/RangoFechas.tsx'],
  // By itself Rollup joins it to what every list fetches, and only four panels show it.
  presencia: ['app/ui/ficha/Presencia.tsx'],
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
