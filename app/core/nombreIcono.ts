import type names from './iconos.json';

/** Our name of a drawing; `iconos.json` says which of lucide's it is. */
export type NombreIcono = keyof typeof names;
