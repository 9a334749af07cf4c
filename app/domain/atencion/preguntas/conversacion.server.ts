import type { Market } from '~/core/market';
import type { Conversacion } from '~/domain/mercados/atencion';
import { detail } from '~/domain/mercados/detail';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';

/** Somebody waits at a page. */
const WAITS_MS = 4_000;

export type ConversacionLeida = { conversacion: Conversacion | null; fallo: string | null };

/** What was written about a sale after it was made, asked now: it is kept at the marketplace. What cannot be asked is said. */
export async function fetchConversacion(db: Db, market: Market, numOrden: string): Promise<ConversacionLeida> {
  const sinLeer: string[] = [];
  try {
    const { atencion } = fuenteOf(market).open(db, { timeoutMs: WAITS_MS });
    const conversacion = await detail(
      async () => (await atencion?.readConversacion(numOrden)) ?? null,
      'mensajes',
      sinLeer,
    );
    return { conversacion, fallo: sinLeer[0] ?? null };
  } catch (error) {
    // A link that no longer works is told here like any other silence: its own screen says what to do.
    if (error instanceof Unavailable) return { conversacion: null, fallo: error.message };
    throw error;
  }
}
