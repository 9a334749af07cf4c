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

/** What follows from the SAT's answer to a cancellation, whoever read it: the effect that asked, or the job that follows it. */
export type Cancelacion = {
  id: string;
  facturaId: string;
  motivo: Motivo;
  sustitutoId: string | null;
  usuarioId: string | null;
  estado: EstadoCancelacion;
  pedidaEn: Date;
  /** When the SAT last said that it is in process. */ vistaEn: Date | null;
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

/** The cancellation of an effect or of a factura, while it is open; undefined when somebody settled it first. */
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

/** The SAT has the request and has not answered it. `enProceso`: it said so itself, not only the PAC. */
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
 * The document is cancelled. Only now its sales are let go, each to the document that still stands for it: the factura it replaced, which the
 * SAT did not cancel; the global it had been in, unless a credit note took it out.
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

/** What it charged is let go, each sale to the document that still stands for it. */
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
        .returning(['facturaId', 'ordenId'])
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

/** It stands: the PAC or the receiver said no, or nobody knows of the request any more. */
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

/** After it was taken for rejected the SAT says that it has the request: it is followed again. */
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

/** From now on it may cease to stand: a credit note that may leaves its sales to whoever they were taken from, until it is known. */
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
