import { identificadorOf } from '~/core/identificador';
import type { Db } from '~db/client.server';
import type { Buscador, Hallazgo } from './buscador';

/** Shortest text that is looked for: fewer letters are in everything. */
export const MIN_LETRAS = 3;
/** Longest text that is looked for. */
export const MAX_LETRAS = 100;
const POR_CLASE = 6;

/** The things of one kind that were found. */
export type Grupo = { clase: string; titulo: string; pantalla: string; hallazgos: Hallazgo[] };

/** Looks for a text among all kinds of things. Kinds without a match are left out; a text that is too short or too long finds nothing. */
export async function search(db: Db, buscadores: readonly Buscador[], q: string): Promise<Grupo[]> {
  const texto = q.trim();
  if (texto.length < MIN_LETRAS || texto.length > MAX_LETRAS) return [];
  const busqueda = { texto, entero: identificadorOf(texto), limite: POR_CLASE };
  const grupos = await Promise.all(
    buscadores.map(async ({ clase, titulo, pantalla, find }) => ({
      clase,
      titulo,
      pantalla,
      hallazgos: await find(db, busqueda),
    })),
  );
  return grupos.filter(({ hallazgos }) => hallazgos.length > 0);
}
