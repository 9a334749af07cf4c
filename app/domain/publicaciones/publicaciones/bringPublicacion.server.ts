import { NotAllowed } from '~/core/errors';
import { MERCADOS, seCrea } from '~/domain/mercados/mercados';
import { readPublicacion, seEstaCreando } from './publicaciones.server';
import type { Db } from '~db/client.server';
import { fetchFromTienda } from './updateTiendas.server';

const TITULO = 'Error al actualizar: ';

/**
 * 'Actualizar publicación': reads one listing of its marketplace and writes it, while a person waits. Throws NotAllowed when there is no such listing,
 * while the marketplace still makes it, when it is gone there, and like `fetchFromTienda`.
 */
export async function bringPublicacion(db: Db, id: string): Promise<void> {
  const publicacion = await readPublicacion(db, id);
  if (!publicacion) throw new NotAllowed(TITULO, 'No se encontro la publicación');
  const { market, clave, estatus } = publicacion;
  if (seCrea(market, estatus)) throw new NotAllowed(TITULO, seEstaCreando(market));
  const leidas = await fetchFromTienda(db, market, [clave]);
  if (leidas.length === 0) throw new NotAllowed(TITULO, `${MERCADOS[market].label} ya no tiene esta publicación.`);
}
