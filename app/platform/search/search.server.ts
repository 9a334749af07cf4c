import { identificadorOf } from '~/core/identificador';
import type { Db } from '~db/client.server';
import type { Buscador, Hallazgo } from './buscador';

/** Fewer letters are in everything. */
export const MIN_LETRAS = 3;
export const MAX_LETRAS = 100;
const POR_CLASE = 6;

export type Grupo = { clase: string; titulo: string; pantalla: string; hallazgos: Hallazgo[] };

/** What the rooms know of a text, by kind; kinds that know nothing of it are left out. Empty too when the text is too short or too long to be looked for. */
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
