import { NotAllowed } from '~/core/errors';
import { MERCADOS, seCrea } from '~/domain/mercados/mercados';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { saveDescripcion } from './descripciones.server';
import { readPublicacion, seEstaCreando } from './publicaciones.server';
import type { Db } from '~db/client.server';
import { fetchFromTienda } from './updateTiendas.server';

const TITULO = 'Error al actualizar: ';

/** A page does not stand longer for the text of a listing. */
const PACIENCIA_MS = 4_000;

/**
 * 'Actualizar publicación': reads one listing of its marketplace with its text, and writes both, while a person waits. A text that did not come is no fault. Throws NotAllowed when there is no such listing,
 * while the marketplace still makes it, when it is gone there, and like `fetchFromTienda`.
 */
export async function bringPublicacion(db: Db, id: string): Promise<void> {
  const publicacion = await readPublicacion(db, id);
  if (!publicacion) throw new NotAllowed(TITULO, 'No se encontro la publicación');
  const { market, clave, estatus } = publicacion;
  if (seCrea(market, estatus)) throw new NotAllowed(TITULO, seEstaCreando(market));
  const leidas = await fetchFromTienda(db, market, [clave]);
  if (leidas.length === 0) throw new NotAllowed(TITULO, `${MERCADOS[market].label} ya no tiene esta publicación.`);
  const escaparate = fuenteOf(market).publicaciones?.open(db, { timeoutMs: PACIENCIA_MS });
  if (escaparate) await saveDescripcion(db, escaparate, { id, clave });
}
