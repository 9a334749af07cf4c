import { log } from '~/core/log.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Fuente } from '~/domain/mercados/mercado';
import { listFuentes } from '~/domain/mercados/registro.server';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { avisoOfVenta, receiveNotices } from './inbox.server';

/** Calls of one run to a queue. What is left waits for the next minute. */
const VUELTAS = 50;

/** Empties the queues of the marketplaces that hand their notices over by one, and returns how many sales they told of. */
export async function drainColas(db: Db): Promise<number> {
  let avisos = 0;
  for (const fuente of listFuentes()) avisos += await drainCola(db, fuente);
  if (avisos > 0) await enqueue(db, 'inbox.drain', {});
  return avisos;
}

async function drainCola(db: Db, fuente: Fuente): Promise<number> {
  const cola = fuente.cola?.();
  if (!cola || (await fuente.link(db))?.status !== 'linked' || (await fuente.isPaused(db))) return 0;
  const mercado = fuente.open(db);
  let avisos = 0;
  try {
    for (let vuelta = 0; vuelta < VUELTAS; vuelta++) {
      const mensajes = await cola.recibe();
      if (mensajes.length === 0) break;
      const noticias = mensajes.flatMap(({ noticia }) => noticia ?? []);
      if (noticias.length > 0)
        await receiveNotices(
          db,
          fuente.source,
          noticias.map(({ venta, account, id }) => ({ aviso: avisoOfVenta(mercado, venta), account, id })),
        );
      avisos += noticias.length;
      // A message is deleted once its notice is kept, and comes again otherwise. One that we cannot read would come for ever.
      await cola.borra(mensajes.map(({ recibo }) => recibo));
    }
    await cola.note(db, { avisos, error: null });
  } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof Unavailable) && !(error instanceof UnexpectedShape))
      throw error;
    log.warn('cola de avisos sin leer', { source: fuente.source, error: error.message });
    await cola.note(db, { avisos, error: error.message });
  }
  return avisos;
}
