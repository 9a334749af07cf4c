import { sql } from 'kysely';
import { record } from '~/platform/bitacora.server';
import { storeArchivo } from '~/platform/files/archivos.server';
import type { Trx } from '~db/client.server';
import type { EstadoCancelacion } from '~db/columns';
import type { Motivo } from '../cancelacion';
import {
  freeClaims,
  holdClaims,
  letGoOfNota,
  lockOrdenesOfNota,
  undoNota,
} from '~/domain/facturacion/cfdi/claims.server';

/** A request to cancel a document, as the effect that asked and the job that follows it see its row. */
export type Cancelacion = {
  id: string;
  facturaId: string;
  motivo: Motivo;
  sustitutoId: string | null;
  usuarioId: string | null;
  estado: EstadoCancelacion;
  pedidaEn: Date;
  /** Instant at which the SAT last said that the request is in process. */ vistaEn: Date | null;
  revisadaEn: Date | null;
};

const COLUMNS = [
  'id',
  'facturaId',
  'motivo',
  'sustitutoId',
  'usuarioId',
  'estado',
  'pedidaEn',
  'vistaEn',
  'revisadaEn',
] as const;
const OPEN: EstadoCancelacion[] = ['solicitada', 'enProceso'];

type Which = { effectId: string } | { id: string } | { facturaId: string };

/** Locks a cancellation that is open; undefined when somebody settled it first. */
export async function lockCancelacion(trx: Trx, by: Which, estados = OPEN): Promise<Cancelacion | undefined> {
  const [column, value] =
    'effectId' in by
      ? ['effectId' as const, by.effectId]
      : 'id' in by
        ? ['id' as const, by.id]
        : ['facturaId' as const, by.facturaId];
  const row = await trx
    .selectFrom('cancelacion')
    .select(COLUMNS)
    .where(column, '=', value)
    .where('estado', 'in', estados)
    .forUpdate()
    .executeTakeFirst();
  return row;
}

/** Notes that the SAT has the request and has not answered. `enProceso`: the SAT said so itself, not only the PAC. */
export async function noteEnProceso(
  trx: Trx,
  { id, facturaId, usuarioId }: Cancelacion,
  { respuesta, acuse, enProceso }: { respuesta: string; acuse: string | null; enProceso: boolean },
): Promise<void> {
  const now = new Date();
  await trx
    .updateTable('cancelacion')
    .set({
      estado: 'enProceso',
      respuesta,
      acuseId: await keepAcuse(trx, facturaId, acuse),
      revisadaEn: now,
      ...(enProceso && { vistaEn: now }),
    })
    .where('id', '=', id)
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'factura',
    entidadId: facturaId,
    accion: 'cancelación en proceso',
    datos: { respuesta },
  });
}

/**
 * Settles a cancellation that the SAT confirmed. Only now the sales of the document are let go, each to the document that still charges for
 * it: a replaced factura that the SAT did not cancel, or the global it had been in, unless a credit note took it out.
 */
export async function settleCancelada(
  trx: Trx,
  { id, facturaId, motivo, usuarioId }: Cancelacion,
  { respuesta, acuse = null }: { respuesta: string; acuse?: string | null },
): Promise<void> {
  const acuseId = await keepAcuse(trx, facturaId, acuse);
  const now = new Date();
  await lockOrdenesOfNota(trx, facturaId);
  await trx
    .updateTable('cancelacion')
    .set({ estado: 'cancelada', respuesta, resueltaEn: now, revisadaEn: now, ...(acuseId && { acuseId }) })
    .where('id', '=', id)
    .execute();
  await ceaseToStand(trx, facturaId, { motivo, respuesta, usuarioId });
}

/** Marks a document as cancelled and lets its sales go. The bitacora tells it on the document, and on each factura that got sales back. */
export async function ceaseToStand(
  trx: Trx,
  facturaId: string,
  { motivo, respuesta, usuarioId }: { motivo?: Motivo; respuesta: string; usuarioId: string | null },
): Promise<void> {
  const factura = await trx
    .updateTable('factura')
    .set({ estatus: 'cancelada', canceladaEn: new Date() })
    .where('id', '=', facturaId)
    .returning(['tipo', 'effectId', 'serie', 'folio'])
    .executeTakeFirstOrThrow();
  if (factura.tipo === 'notaCredito')
    await undoNota(
      trx,
      await trx
        .deleteFrom('notaCreditoOrden')
        .where('notaId', '=', facturaId)
        .returning(['facturaId', 'ordenId', 'parcial'])
        .execute(),
    );
  const { libres, devueltas } = await freeClaims(trx, factura.effectId);
  await record(trx, {
    usuarioId,
    entidad: 'factura',
    entidadId: facturaId,
    accion: 'cancelada',
    datos: { ...(motivo && { motivo }), respuesta, ventasLibres: libres },
  });
  for (const devuelta of devueltas) {
    const datos = { respuesta: `Se canceló la factura ${factura.serie}-${factura.folio}.`, ventas: devuelta.ventas };
    await record(trx, {
      usuarioId,
      entidad: 'factura',
      entidadId: devuelta.facturaId,
      accion: 'recuperar ventas',
      datos,
    });
  }
}

/**
 * Settles a cancellation that came to nothing: the document stands. The PAC or the receiver refused, or the SAT has no request. The
 * bitacora warns when its substitute stands too.
 */
export async function settleRechazada(
  trx: Trx,
  { id, facturaId, motivo, sustitutoId, usuarioId }: Cancelacion,
  respuesta: string,
  accion = 'cancelación rechazada',
): Promise<void> {
  const now = new Date();
  await lockOrdenesOfNota(trx, facturaId);
  await trx
    .updateTable('cancelacion')
    .set({ estado: 'rechazada', respuesta, resueltaEn: now, revisadaEn: now })
    .where('id', '=', id)
    .execute();
  const factura = await trx
    .updateTable('factura')
    .set({ estatus: 'vigente', rechazadaEn: now })
    .where('id', '=', facturaId)
    .where('estatus', '=', 'cancelando')
    .returning(['tipo', 'serie', 'folio'])
    .executeTakeFirst();
  if (factura?.tipo === 'notaCredito') await letGoOfNota(trx, facturaId);
  await record(trx, { usuarioId, entidad: 'factura', entidadId: facturaId, accion, datos: { motivo, respuesta } });
  const sustituta =
    factura && sustitutoId !== null
      ? await trx
          .selectFrom('factura')
          .select('id')
          .where('id', '=', sustitutoId)
          .where('estatus', '<>', 'cancelada')
          .executeTakeFirst()
      : undefined;
  if (!factura || !sustituta) return;
  const datos = {
    respuesta: `La factura ${factura.serie}-${factura.folio}, a la que sustituye, no se canceló: ${respuesta}`,
  };
  await record(trx, { usuarioId, entidad: 'factura', entidadId: sustituta.id, accion: 'dos vigentes', datos });
}

/** Opens a rejected cancellation again, after the SAT said that it has the request. */
export async function reopenCancelacion(
  trx: Trx,
  { id, facturaId, usuarioId }: Cancelacion,
  respuesta: string,
): Promise<void> {
  const now = new Date();
  await lockOrdenesOfNota(trx, facturaId);
  await trx
    .updateTable('cancelacion')
    .set({ estado: 'enProceso', respuesta, resueltaEn: null, revisadaEn: now, vistaEn: now })
    .where('id', '=', id)
    .execute();
  await beginCancelando(trx, facturaId);
  await record(trx, {
    usuarioId,
    entidad: 'factura',
    entidadId: facturaId,
    accion: 'cancelación en proceso',
    datos: { respuesta },
  });
}

/**
 * Marks a standing document as being cancelled and returns it; undefined when it does not stand. The factura of a credit note holds its
 * sales until the outcome is known.
 */
export async function beginCancelando(trx: Trx, facturaId: string) {
  const factura = await trx
    .updateTable('factura')
    .set({ estatus: 'cancelando' })
    .where('id', '=', facturaId)
    .where('estatus', '=', 'vigente')
    .returning(['tipo', 'uid', 'uuid', 'serie', 'folio'])
    .executeTakeFirst();
  if (factura?.tipo === 'notaCredito') await holdClaims(trx, await lockOrdenesOfNota(trx, facturaId));
  return factura;
}

async function keepAcuse(trx: Trx, facturaId: string, acuse: string | null): Promise<string | null> {
  if (acuse === null) return null;
  const { rows } = await sql<{
    folio: string;
  }>`select serie || '-' || folio as folio from factura where id = ${facturaId}`.execute(trx);
  return storeArchivo(trx, {
    nombre: `acuse-${rows[0]!.folio}.xml`,
    tipo: 'application/xml',
    contenido: Buffer.from(acuse),
  });
}
