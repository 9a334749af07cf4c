import { NotAllowed } from '~/core/errors';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { Fuente } from '~/domain/mercados/mercado';
import { fuenteOf } from '~/domain/mercados/registro.server';
import type { Db } from '~db/client.server';
import type { Market } from '~db/columns';

/** Title of what could not be read while a person waits. */
export const TITULO = 'Error al actualizar: ';

/** Returns the adapter of a marketplace that may be asked now. Throws NotAllowed with the reason when it is not linked, or is paused. */
export async function requireTienda(db: Db, market: Market): Promise<Fuente> {
  const fuente = fuenteOf(market);
  const { label } = MERCADOS[market];
  if ((await fuente.link(db))?.status !== 'linked') throw new NotAllowed(TITULO, `${label} no está conectado.`);
  if (await fuente.isPaused(db)) throw new NotAllowed(TITULO, `${label} está en pausa.`);
  return fuente;
}
