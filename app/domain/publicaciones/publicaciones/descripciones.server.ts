import { sql } from 'kysely';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Escaparate } from '~/domain/mercados/publicacion';
import { fuenteOf } from '~/domain/mercados/registro.server';
import type { Db } from '~db/client.server';
import type { Market } from '~db/columns';

/** Texts that one run reads: a marketplace tells each by a call of its own. */
const POR_VEZ = 100;
/** The most days that a refused text waits. It waits one day after the first refusal, and twice as long after each further one. */
const MAX_DIAS = 32;

/**
 * Reads the texts of listings that nobody read yet, and returns how many. Texts that were never asked for come first, the newest listing first; a refused text
 * is asked for later and later. An empty text is kept too, so that each listing is asked once; a later change at the marketplace comes with 'Actualizar
 * publicación'. A marketplace that does not answer is asked by the next run.
 */
export async function readDescripciones(db: Db, market: Market, { most = POR_VEZ } = {}): Promise<number> {
  const fuente = fuenteOf(market);
  const escaparate = fuente.publicaciones?.open(db);
  if (!escaparate?.descripcion || (await fuente.link(db))?.status !== 'linked' || (await fuente.isPaused(db))) return 0;
  const sinLeer = await db
    .selectFrom('publicacion')
    .select(['id', 'clave'])
    .where('market', '=', market)
    .where('descripcion', 'is', null)
    .where('ausenteDesde', 'is', null)
    .where((is) => is.or([is('descripcionPedirEn', 'is', null), is('descripcionPedirEn', '<=', sql<Date>`now()`)]))
    .orderBy('descripcionPedirEn', (by) => by.asc().nullsFirst())
    .orderBy('fechaCreacion', 'desc')
    .limit(most)
    .execute();
  let leidas = 0;
  for (const { id, clave } of sinLeer) {
    const said = await saveDescripcion(db, escaparate, { id, clave });
    if (said === 'silent') break;
    if (said === 'read') leidas += 1;
  }
  return leidas;
}

/** Reads and keeps the text of one listing. Where the marketplace refuses, or does not answer (`silent`), the text of before stays. */
export async function saveDescripcion(
  db: Db,
  escaparate: Escaparate,
  { id, clave }: { id: string; clave: string },
): Promise<'read' | 'refused' | 'silent'> {
  if (!escaparate.descripcion) return 'read';
  try {
    const descripcion = (await escaparate.descripcion(clave)) ?? '';
    await db
      .updateTable('publicacion')
      .set({ descripcion, descripcionNegada: 0, descripcionPedirEn: null })
      .where('id', '=', id)
      .execute();
    return 'read';
  } catch (error) {
    if (error instanceof Unavailable) return 'silent';
    if (error instanceof Refused || error instanceof UnexpectedShape) {
      await putOff(db, id);
      return 'refused';
    }
    throw error;
  }
}

/** Writes down a refusal, and when the text is asked for again. */
async function putOff(db: Db, id: string): Promise<void> {
  await db
    .updateTable('publicacion')
    .set({
      descripcionNegada: sql<number>`least(descripcion_negada + 1, 100)`,
      descripcionPedirEn: sql<Date>`now() + least(2 ^ descripcion_negada, ${MAX_DIAS}) * interval '1 day'`,
    })
    .where('id', '=', id)
    .execute();
}
