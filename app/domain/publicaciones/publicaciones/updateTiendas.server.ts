import { NotAllowed } from '~/core/errors';
import { MARKETS } from '~/core/market';
import { MERCADOS } from '~/domain/mercados/mercados';
import { requireTienda, TITULO } from './internal/tienda.server';
import { publicacionesOf } from './publicaciones.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import type { Market } from '~db/columns';
import { bringPublicaciones } from './syncPublicaciones.server';

/** A page does not stand longer for the marketplaces. */
const PACIENCIA_MS = 8_000;

/**
 * Reads some listings of one marketplace and writes them, while a person waits. Returns the keys of those that the marketplace still has. Throws
 * NotAllowed with the reason when the marketplace is not linked, is paused, refuses, or does not answer in time.
 */
export async function fetchFromTienda(db: Db, market: Market, claves: readonly string[]): Promise<string[]> {
  const fuente = await requireTienda(db, market);
  try {
    return await bringPublicaciones(db, fuente, claves, { timeoutMs: PACIENCIA_MS });
  } catch (error) {
    if (error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)
      throw new NotAllowed(TITULO, error.message);
    throw error;
  }
}

/**
 * Reads every listing of a product again, and returns in a text for people how it went at each marketplace. When a listing follows its supplier, a mark
 * asks the worker to look at its price and stock. A marketplace that does not answer holds back no other. Throws NotAllowed when the product has no
 * listing, and when no marketplace answered.
 */
export async function updateTiendas(db: Db, productoId: string): Promise<string> {
  const publicaciones = await publicacionesOf(db, [productoId]);
  if (publicaciones.length === 0) throw new NotAllowed(TITULO, 'El producto no está a la venta en ninguna tienda.');
  const dichos = await Promise.all(
    MARKETS.map(async (market) => {
      const suyas = publicaciones.filter((una) => una.market === market);
      if (suyas.length === 0) return [];
      const { label } = MERCADOS[market];
      try {
        const leidas = await fetchFromTienda(
          db,
          market,
          suyas.map(({ clave }) => clave),
        );
        const faltan = suyas.length - leidas.length;
        const cuantas = leidas.length === 1 ? '1 publicación leída' : `${leidas.length} publicaciones leídas`;
        return [{ bien: true, texto: `${label}: ${cuantas}${faltan > 0 ? `, ${faltan} ya no están` : ''}.` }];
      } catch (error) {
        if (!(error instanceof NotAllowed)) throw error;
        return [{ bien: false, texto: error.message }];
      }
    }),
  );
  if (publicaciones.some(({ autoSync }) => autoSync))
    await db.insertInto('publicacionMirar').values({ productoId, motivo: 'persona' }).execute();
  const todos = dichos.flat();
  const texto = todos.map((dicho) => dicho.texto).join(' ');
  if (todos.every(({ bien }) => !bien)) throw new NotAllowed(TITULO, texto);
  return texto;
}
