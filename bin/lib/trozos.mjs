import { at } from './project.mjs';

/** React and Remix: no version of ours changes them, so that a browser keeps them. */
const BASE =
  /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|turbo-stream|@remix-run\/[^/]+)\//;
/** Every area shows these parts of Mantine. The others go with the screens that show them. */
const MARCO =
  /vite\/preload-helper|virtual:publico|\/clsx\/|\/@mantine\/hooks\/|\/@mantine\/core\/esm\/(core|components\/(Button|UnstyledButton|Loader|Transition|Input|InputBase|TextInput|CloseButton))\//;
const FORMULARIO = /\/@conform-to\//;

/** It acts as soon as it is read, so it has a file of its own: screens lean on what it leans on, and have to be there before it. */
const ENTRADA = 'app/entry.client.tsx';

/** What is wanted together: these files, with all of ours that they lean on and none above them has. */
const TROZOS = {
  // What follows the area serves public pages too, which have nothing of a list.
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
  formulario: ['app/ui/useActionForm.tsx', 'app/ui/Field.tsx'],
};

/**
 * Rollup's `manualChunks`. Left to itself it makes files of some hundred bytes, or puts together by their size what has nothing in common. What is not named here it
 * divides by who wants it.
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
