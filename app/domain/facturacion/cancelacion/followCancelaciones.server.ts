import { sql } from 'kysely';
import { log } from '~/core/log.server';
import { isPaused } from '~/platform/connections/pause.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { FacturacomReader } from '~/integrations/facturacom/read.server';
import type { Db, Trx } from '~db/client.server';
import { DIAS_DESPUES, isOfThisSolicitud, parseEstadoSat } from './cancelacion';
import {
  ceaseToStand,
  lockCancelacion,
  reopenCancelacion,
  settleCancelada,
  settleRechazada,
  type Cancelacion,
} from './internal/settleCancelacion.server';
import { lockOrdenesOfNota } from '~/domain/facturacion/cfdi/claims.server';
import { connectPacReader } from '~/domain/facturacion/cfdi/emisor.server';

/**
 * Instant before which a request is looked at again: every few minutes on its first day and every hour later, since a receiver has three
 * working days to answer.
 */
const LOOK = sql<Date>`now() - case
  when c.pedida_en > now() - interval '1 day' then interval '4 minutes'
  else interval '55 minutes' end`;
/** Requests of one round. */
const AT_ONCE = 200;

/** Cancellations in process, and those rejected some days ago of which nobody asked again: a receiver may still accept late. */
const FOLLOWED = sql`(
    select c.id, c.factura_id, c.pedida_en, c.revisada_en from cancelacion c where c.estado = 'enProceso'
    union all
    select c.id, c.factura_id, c.pedida_en, c.revisada_en
    from cancelacion c join factura f on f.id = c.factura_id and f.estatus = 'vigente'
    where c.estado = 'rechazada' and c.resuelta_en > now() - make_interval(days => ${DIAS_DESPUES})
      and not exists (select from cancelacion later where later.factura_id = c.factura_id and later.id > c.id)
  ) c join factura on factura.id = c.factura_id`;

type Followed = { id: string; uid: string };

/** Reads the SAT's status of every cancellation that is due and settles those that ended; none while factura.com is paused. Returns how many ended. */
export async function followCancelaciones(db: Db, signal?: AbortSignal): Promise<number> {
  const { rows } = await sql<Followed>`
    select c.id, factura.uid from ${FOLLOWED}
    where c.revisada_en is null or c.revisada_en <= ${LOOK}
    order by c.revisada_en limit ${AT_ONCE}`.execute(db);
  if (rows.length === 0 || (await isPaused(db, 'facturacom'))) return 0;
  const pac = await connectPacReader(db);
  let ended = 0;
  for (const followed of rows) {
    if (signal?.aborted) break;
    if (await followOne(db, pac, followed)) ended += 1;
  }
  return ended;
}

/** Reads the SAT's status of one factura's cancellation now, for a person. Returns whether it ended. */
export async function followCancelacion(db: Db, facturaId: string): Promise<boolean> {
  const {
    rows: [followed],
  } = await sql<Followed>`select c.id, factura.uid from ${FOLLOWED} where c.factura_id = ${facturaId}`.execute(db);
  return followed ? followOne(db, await connectPacReader(db, { timeoutMs: 8_000 }), followed) : false;
}

async function followOne(db: Db, pac: Pick<FacturacomReader, 'cancelStatus'>, { id, uid }: Followed): Promise<boolean> {
  const read = await statusOf(pac, uid);
  if (!read) return false;
  const estado = parseEstadoSat(read);
  const respuesta = read.estatusCancelacion || read.estado;
  return db.transaction().execute(async (trx) => {
    const cancelacion = await lockCancelacion(trx, { id }, ['enProceso', 'rechazada']);
    if (!cancelacion) return false;
    if (cancelacion.estado === 'rechazada') return followRechazada(trx, cancelacion, estado, respuesta);
    if (estado === 'cancelada') await settleCancelada(trx, cancelacion, { respuesta });
    else if (estado === 'rechazada' && isOfThisSolicitud(cancelacion, new Date()))
      await settleRechazada(trx, cancelacion, respuesta);
    else {
      const now = new Date();
      await trx
        .updateTable('cancelacion')
        .set({ revisadaEn: now, respuesta, ...(estado === 'enProceso' && { vistaEn: now }) })
        .where('id', '=', id)
        .execute();
      return false;
    }
    return true;
  });
}

/** Settles late news of a rejected request. Its factura is locked, so nobody asks again meanwhile. Returns whether the document is cancelled. */
async function followRechazada(
  trx: Trx,
  cancelacion: Cancelacion,
  estado: ReturnType<typeof parseEstadoSat>,
  respuesta: string,
): Promise<boolean> {
  const { id, facturaId } = cancelacion;
  const factura = await trx
    .selectFrom('factura')
    .select('estatus')
    .where('id', '=', facturaId)
    .forUpdate()
    .executeTakeFirst();
  const later = await trx
    .selectFrom('cancelacion')
    .select('id')
    .where('facturaId', '=', facturaId)
    .where('id', '>', id)
    .executeTakeFirst();
  if (factura?.estatus !== 'vigente' || later) return false;
  if (estado === 'cancelada') await settleCancelada(trx, cancelacion, { respuesta });
  else if (estado === 'enProceso') await reopenCancelacion(trx, cancelacion, respuesta);
  else await trx.updateTable('cancelacion').set({ revisadaEn: new Date() }).where('id', '=', id).execute();
  return estado === 'cancelada';
}

/** Marks a document as cancelled that the SAT has cancelled and that stands here, after a backup was restored. Returns false when it does not stand here. */
export async function adoptCancelada(trx: Trx, facturaId: string, respuesta: string): Promise<boolean> {
  await lockOrdenesOfNota(trx, facturaId);
  const vigente = await trx
    .selectFrom('factura')
    .select('id')
    .where('id', '=', facturaId)
    .where('estatus', '=', 'vigente')
    .forUpdate()
    .executeTakeFirst();
  if (vigente) await ceaseToStand(trx, facturaId, { respuesta, usuarioId: null });
  return vigente !== undefined;
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
