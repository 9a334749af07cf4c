/** Name of the newest migration, without which this version does not find what it reads and writes. Written by `npm run db:types`. */
export const ULTIMA_MIGRACION = '20261203_1200_sueltos';
