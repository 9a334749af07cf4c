import { z } from 'zod';
import type { Db } from '~db/client.server';
import { cancelableOf, type Cancelable } from './cancelar.server';
import type { EstadoCancelacion, Motivo } from './cancelacion';
import { lineaDeFactura, type Hito } from './lineaFactura.server';
import { notasDe, origenDeNota } from './notaCreditoOrigen.server';

export type Correcciones = {
  cancelable: Cancelable;
  /** The newest request, settled or not. */
  cancelacion: { motivo: Motivo; estado: EstadoCancelacion; respuesta: string | null; pedidaEn: Date; resueltaEn: Date | null; /** The SAT's receipt can be downloaded. */ conAcuse: boolean } | null;
  sustituye: { id: string; folio: string } | null;
  /** Of a credit note, the factura it takes back from. */
  acredita: { id: string; folio: string; uuid: string } | null;
  /** The credit notes of a factura that stand, some of them when they are many. */
  notas: { id: string; folio: string }[];
  linea: Hito[];
};

/** A global may have hundreds: the list of credit notes has them all. */
const MOST_NOTAS = 8;

/** What the dialog of a factura shows of its corrections; undefined when there is no such factura. */
export async function readCorrecciones(db: Db, id: string, now = new Date()): Promise<Correcciones | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const factura = await db.selectFrom('factura').leftJoin('factura as vieja', 'vieja.id', 'factura.sustituyeId')
    .select(['factura.id', 'factura.tipo', 'vieja.id as viejaId', 'vieja.serie', 'vieja.folio']).where('factura.id', '=', id).executeTakeFirst();
  if (!factura) return undefined;
  const esNota = factura.tipo === 'notaCredito';
  const [cancelable, linea, acredita, notas, cancelacion] = await Promise.all([
    cancelableOf(db, id, now),
    lineaDeFactura(db, id),
    esNota ? origenDeNota(db, id) : null,
    esNota ? [] : notasDe(db, id, MOST_NOTAS),
    db.selectFrom('cancelacion').select(['motivo', 'estado', 'respuesta', 'pedidaEn', 'resueltaEn', 'acuseId']).where('facturaId', '=', id).orderBy('id', 'desc').limit(1).executeTakeFirst(),
  ]);
  return {
    cancelable, linea, acredita, notas,
    cancelacion: cancelacion ? cancelacionOf(cancelacion) : null,
    sustituye: factura.viejaId === null ? null : { id: factura.viejaId, folio: `${factura.serie}-${factura.folio}` },
  };
}

type Fila = { motivo: string; estado: string; respuesta: string | null; pedidaEn: Date; resueltaEn: Date | null; acuseId: string | null };

function cancelacionOf({ acuseId, motivo, estado, ...rest }: Fila): NonNullable<Correcciones['cancelacion']> {
  return { ...rest, motivo: motivo as Motivo, estado: estado as EstadoCancelacion, conAcuse: estado === 'cancelada' || acuseId !== null };
}
