import { z } from 'zod';
import type { Db } from '~db/client.server';
import { cancelableOf, type Cancelable } from './cancelar.server';
import type { EstadoCancelacion, Motivo } from './cancelacion';
import { lineaDeFactura, type Hito } from './lineaFactura.server';

export type Correcciones = {
  cancelable: Cancelable;
  /** The newest request, settled or not. */
  cancelacion: { motivo: Motivo; estado: EstadoCancelacion; respuesta: string | null; pedidaEn: Date; resueltaEn: Date | null } | null;
  sustituye: { id: string; folio: string } | null;
  linea: Hito[];
};

/** What the dialog of a factura shows of its corrections; undefined when there is no such factura. */
export async function readCorrecciones(db: Db, id: string, now = new Date()): Promise<Correcciones | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const factura = await db.selectFrom('factura').leftJoin('factura as vieja', 'vieja.id', 'factura.sustituyeId')
    .select(['factura.id', 'vieja.id as viejaId', 'vieja.serie', 'vieja.folio']).where('factura.id', '=', id).executeTakeFirst();
  if (!factura) return undefined;
  const [cancelable, linea, cancelacion] = await Promise.all([
    cancelableOf(db, id, now),
    lineaDeFactura(db, id),
    db.selectFrom('cancelacion').select(['motivo', 'estado', 'respuesta', 'pedidaEn', 'resueltaEn']).where('facturaId', '=', id).orderBy('id', 'desc').limit(1).executeTakeFirst(),
  ]);
  return {
    cancelable, linea,
    cancelacion: cancelacion ? { ...cancelacion, motivo: cancelacion.motivo as Motivo, estado: cancelacion.estado as EstadoCancelacion } : null,
    sustituye: factura.viejaId === null ? null : { id: factura.viejaId, folio: `${factura.serie}-${factura.folio}` },
  };
}
