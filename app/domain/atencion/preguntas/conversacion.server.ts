import type { Market } from '~/core/market';
import type { Conversacion } from '~/domain/mercados/atencion';
import { detail } from '~/domain/mercados/detail';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';

/** Somebody waits at a page. */
const WAITS_MS = 4_000;

export type ConversacionLeida = { conversacion: Conversacion | null; fallo: string | null };

/** Reads the conversation about a sale from its marketplace, where it is kept. `fallo` says why it could not be read. */
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
    // A link that no longer works is told like any other failure; the screen of the link says what to do.
    if (error instanceof Unavailable) return { conversacion: null, fallo: error.message };
    throw error;
  }
}
