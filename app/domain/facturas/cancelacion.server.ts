import { sql } from 'kysely';
import { record } from '~/domain/bitacora.server';
import { storeArchivo } from '~/domain/files/archivos.server';
import type { Trx } from '~db/client.server';
import type { Motivo } from './cancelacion';
import { undoRefacturacion } from './refacturacion.server';

/** What follows from the SAT's answer to a cancellation, whoever read it: the effect that asked, or the job that follows it. */
export type Cancelacion = { id: string; facturaId: string; motivo: Motivo; usuarioId: string | null };

const COLUMNS = ['id', 'facturaId', 'motivo', 'usuarioId', 'estado'] as const;

/** The cancellation of an effect, while it is open; undefined when somebody settled it first. */
export async function lockCancelacion(trx: Trx, by: { effectId: string } | { id: string }): Promise<Cancelacion | undefined> {
  const row = await trx
    .selectFrom('cancelacion').select(COLUMNS)
    .where('effectId' in by ? 'effectId' : 'id', '=', 'effectId' in by ? by.effectId : by.id)
    .where('estado', 'in', ['solicitada', 'enProceso'])
    .forUpdate().executeTakeFirst();
  return row && { ...row, motivo: row.motivo as Motivo };
}

/** The SAT has the request and has not answered it. */
export async function noteEnProceso(trx: Trx, { id, facturaId, usuarioId }: Cancelacion, { respuesta, acuse }: { respuesta: string; acuse: string | null }): Promise<void> {
  await trx
    .updateTable('cancelacion').set({ estado: 'enProceso', respuesta, acuseId: await keepAcuse(trx, facturaId, acuse), revisadaEn: new Date() })
    .where('id', '=', id).execute();
  await record(trx, { usuarioId, entidad: 'factura', entidadId: facturaId, accion: 'cancelación en proceso', datos: { respuesta } });
}

/**
 * The document is cancelled: only now its sales are free. An individual factura of a sale that had been in a global gives it back to
 * the global, unless a credit note took it out; a credit note that is cancelled takes nothing back any more.
 */
export async function settleCancelada(trx: Trx, { id, facturaId, motivo, usuarioId }: Cancelacion, { respuesta, acuse = null }: { respuesta: string; acuse?: string | null }): Promise<void> {
  const acuseId = await keepAcuse(trx, facturaId, acuse);
  await trx
    .updateTable('cancelacion').set({ estado: 'cancelada', respuesta, resueltaEn: new Date(), revisadaEn: new Date(), ...(acuseId && { acuseId }) })
    .where('id', '=', id).execute();
  const factura = await trx
    .updateTable('factura').set({ estatus: 'cancelada', canceladaEn: new Date() }).where('id', '=', facturaId)
    .returning(['tipo', 'effectId', 'serie', 'folio']).executeTakeFirstOrThrow();
  if (factura.tipo === 'individual') await undoRefacturacion(trx, factura.effectId);
  if (factura.tipo === 'notaCredito') await trx.deleteFrom('notaCreditoOrden').where('notaId', '=', facturaId).execute();
  const freed = await trx.deleteFrom('fiscalClaim').where('facturaId', '=', facturaId).returning('ordenId').execute();
  await record(trx, { usuarioId, entidad: 'factura', entidadId: facturaId, accion: 'cancelada', datos: { motivo, respuesta, ventasLibres: freed.length } });
}

/** It stands: the PAC or the receiver said no. */
export async function settleRechazada(trx: Trx, { id, facturaId, motivo, usuarioId }: Cancelacion, respuesta: string): Promise<void> {
  await trx
    .updateTable('cancelacion').set({ estado: 'rechazada', respuesta, resueltaEn: new Date(), revisadaEn: new Date() })
    .where('id', '=', id).execute();
  await trx.updateTable('factura').set({ estatus: 'vigente' }).where('id', '=', facturaId).where('estatus', '=', 'cancelando').execute();
  await record(trx, { usuarioId, entidad: 'factura', entidadId: facturaId, accion: 'cancelación rechazada', datos: { motivo, respuesta } });
}

async function keepAcuse(trx: Trx, facturaId: string, acuse: string | null): Promise<string | null> {
  if (acuse === null) return null;
  const { rows } = await sql<{ folio: string }>`select serie || '-' || folio as folio from factura where id = ${facturaId}`.execute(trx);
  return storeArchivo(trx, { nombre: `acuse-${rows[0]!.folio}.xml`, tipo: 'application/xml', contenido: Buffer.from(acuse) });
}
