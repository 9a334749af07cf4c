import type names from './iconos.json';

/** Name of an icon; `iconos.json` has lucide's name for each. */
export type NombreIcono = keyof typeof names;
