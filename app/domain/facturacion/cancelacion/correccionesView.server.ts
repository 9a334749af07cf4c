import { z } from 'zod';
import type { Db } from '~db/client.server';
import type { EstadoCancelacion } from '~db/columns';
import { cancelableOf, type Cancelable } from './requestCancelacion.server';
import { sinNoticia, type Motivo } from './cancelacion';
import {
  correccionOfCliente,
  hechaPorCliente,
  pedidaPorCliente,
  type CorreccionCliente,
} from './correccionCliente.server';
import { otraVigenteOf, type OtraVigente } from './dosVigentes.server';
import { lineaOfFactura, type Hito } from './internal/lineaFactura.server';
import { notasOf, origenOfNota } from '~/domain/facturacion/cfdi/notaCreditoOrigen.server';

export type Correcciones = {
  cancelable: Cancelable;
  /** The newest request, settled or not. */
  cancelacion: {
    motivo: Motivo;
    estado: EstadoCancelacion;
    respuesta: string | null;
    pedidaEn: Date;
    resueltaEn: Date | null;
    /** The SAT's receipt can be downloaded. */ conAcuse: boolean;
    /** For days the SAT has known nothing of it. */ sinNoticia: boolean;
  } | null;
  /** Another factura of the same sale that stands too. */
  otraVigente: OtraVigente | null;
  sustituye: { id: string; folio: string } | null;
  /** Of a credit note, the factura it takes back from. */
  acredita: { id: string; folio: string; uuid: string } | null;
  /** The credit notes of a factura that stand, some of them when they are many. */
  notas: { id: string; folio: string }[];
  linea: Hito[];
  /** Whether its customer asked for it to correct another one, and what they may still correct; of what they did not make, nothing. */
  cliente: ({ pedida: boolean } & Pick<CorreccionCliente, 'quedan' | 'hasta' | 'impedimento'>) | null;
};

/** A global may have hundreds: the list of credit notes has them all. */
const MOST_NOTAS = 8;

/** What the dialog of a factura shows of its corrections; undefined when there is no such factura. */
export async function readCorrecciones(db: Db, id: string, now = new Date()): Promise<Correcciones | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const factura = await db
    .selectFrom('factura')
    .leftJoin('factura as vieja', 'vieja.id', 'factura.sustituyeId')
    .select(['factura.id', 'factura.tipo', 'vieja.id as viejaId', 'vieja.serie', 'vieja.folio'])
    .where('factura.id', '=', id)
    .executeTakeFirst();
  if (!factura) return undefined;
  const esNota = factura.tipo === 'notaCredito';
  const [cancelable, linea, acredita, notas, otraVigente, cliente, cancelacion] = await Promise.all([
    cancelableOf(db, id, now),
    lineaOfFactura(db, id),
    esNota ? origenOfNota(db, id) : null,
    esNota ? [] : notasOf(db, id, MOST_NOTAS),
    otraVigenteOf(db, id),
    clienteOf(db, id, now),
    db
      .selectFrom('cancelacion')
      .select(['motivo', 'estado', 'respuesta', 'pedidaEn', 'vistaEn', 'revisadaEn', 'resueltaEn', 'acuseId'])
      .where('facturaId', '=', id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  return {
    cancelable,
    linea,
    acredita,
    notas,
    otraVigente,
    cliente,
    cancelacion: cancelacion ? cancelacionOf(cancelacion) : null,
    sustituye: factura.viejaId === null ? null : { id: factura.viejaId, folio: `${factura.serie}-${factura.folio}` },
  };
}

async function clienteOf(db: Db, id: string, now: Date): Promise<Correcciones['cliente']> {
  if (!(await hechaPorCliente(db, id))) return null;
  const [pedida, { quedan, hasta, impedimento }] = [
    await pedidaPorCliente(db, id),
    await correccionOfCliente(db, id, now),
  ];
  return { pedida, quedan, hasta, impedimento };
}

type Fila = {
  motivo: Motivo;
  estado: EstadoCancelacion;
  respuesta: string | null;
  pedidaEn: Date;
  vistaEn: Date | null;
  revisadaEn: Date | null;
  resueltaEn: Date | null;
  acuseId: string | null;
};

function cancelacionOf({
  acuseId,
  motivo,
  estado,
  respuesta,
  pedidaEn,
  vistaEn,
  revisadaEn,
  resueltaEn,
}: Fila): NonNullable<Correcciones['cancelacion']> {
  return {
    motivo,
    estado,
    respuesta,
    pedidaEn,
    resueltaEn,
    conAcuse: estado === 'cancelada' || acuseId !== null,
    sinNoticia: estado === 'enProceso' && sinNoticia({ pedidaEn, vistaEn, revisadaEn }),
  };
}
