/** Name of the newest migration, without which this version does not find what it reads and writes. Written by `npm run db:types`. */
export const ULTIMA_MIGRACION = '20261202_1030_en_pie_en_el_libro';
