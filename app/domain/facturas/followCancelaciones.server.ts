import { sql } from 'kysely';
import { log } from '~/core/log.server';
import { isPaused } from '~/domain/effects/pause.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { FacturacomReader } from '~/integrations/facturacom/read.server';
import type { Db } from '~db/client.server';
import { leerEstadoSat } from './cancelacion';
import { lockCancelacion, settleCancelada, settleRechazada } from './cancelacion.server';
import { connectPacReader } from './emisor.server';

/** A receiver has three working days to answer, so each request is looked at every few minutes on its first day and every hour later. */
const LOOK = sql<Date>`now() - case when pedida_en > now() - interval '1 day' then interval '4 minutes' else interval '55 minutes' end`;
const AT_ONCE = 200;

/** Reads the SAT's status of every cancellation in process and ends those it has answered; none while the PAC is paused. Returns how many it ended. */
export async function followCancelaciones(db: Db, signal?: AbortSignal): Promise<number> {
  const open = await db
    .selectFrom('cancelacion').innerJoin('factura', 'factura.id', 'cancelacion.facturaId')
    .select(['cancelacion.id', 'factura.uid'])
    .where('cancelacion.estado', '=', 'enProceso').where((eb) => eb.or([eb('revisadaEn', 'is', null), eb('revisadaEn', '<=', LOOK)]))
    .orderBy('revisadaEn').limit(AT_ONCE).execute();
  if (open.length === 0 || (await isPaused(db, 'facturacom'))) return 0;
  const pac = await connectPacReader(db);
  let ended = 0;
  for (const { id, uid } of open) {
    if (signal?.aborted) break;
    if (await followOne(db, pac, id, uid)) ended += 1;
  }
  return ended;
}

/** One now, for somebody who does not want to wait for the next round. */
export async function followCancelacion(db: Db, facturaId: string): Promise<boolean> {
  const open = await db
    .selectFrom('cancelacion').innerJoin('factura', 'factura.id', 'cancelacion.facturaId')
    .select(['cancelacion.id', 'factura.uid'])
    .where('facturaId', '=', facturaId).where('cancelacion.estado', '=', 'enProceso').executeTakeFirst();
  return open ? followOne(db, await connectPacReader(db, { timeoutMs: 8_000 }), open.id, open.uid) : false;
}

async function followOne(db: Db, pac: Pick<FacturacomReader, 'cancelStatus'>, id: string, uid: string): Promise<boolean> {
  const read = await statusOf(pac, uid);
  if (!read) return false;
  const estado = leerEstadoSat(read);
  const respuesta = read.estatusCancelacion || read.estado;
  return db.transaction().execute(async (trx) => {
    const cancelacion = await lockCancelacion(trx, { id });
    if (!cancelacion) return false;
    if (estado === 'cancelada') await settleCancelada(trx, cancelacion, { respuesta });
    else if (estado === 'rechazada') await settleRechazada(trx, cancelacion, respuesta);
    else await trx.updateTable('cancelacion').set({ revisadaEn: new Date(), respuesta }).where('id', '=', id).execute();
    return estado === 'cancelada' || estado === 'rechazada';
  });
}

async function statusOf(pac: Pick<FacturacomReader, 'cancelStatus'>, uid: string) {
  try {
    return await pac.cancelStatus(uid);
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof UnexpectedShape || error instanceof Refused)) throw error;
    log.warn('el PAC no contestó el estado de una cancelación', { error: error.message });
    return undefined;
  }
}
