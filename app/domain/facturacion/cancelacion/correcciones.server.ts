import { sql } from 'kysely';
import { addDays, civilDay, monthOf, nombreOfMes } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import { cancelableOf, type Cancelable } from './requestCancelacion.server';
import { z } from 'zod';
import type { EstadoCancelacion } from '~db/columns';
import { sinNoticia, type Motivo } from './cancelacion';
import { otraVigenteOf, type OtraVigente } from './porAtender.server';
import { lineaOfFactura, type Hito } from './internal/lineaFactura.server';
import { notasOf, origenOfNota } from '~/domain/facturacion/cfdi/factura.server';

/** The limit for a customer's corrections of one sale: so many in so many days. */
export const CORRECCIONES = { veces: 2, dias: 30 } as const;

/** The corrections that a customer may still make of a factura. */
export type CorreccionCliente = {
  facturaId: string;
  folio: string;
  /** Number of corrections left. */
  quedan: number;
  /** Last day for a correction: the end of the factura's month. */
  hasta: string;
  /** Reason against a correction, in words for the customer; null when one may be asked for. */
  impedimento: string | null;
};

const POR_MENSAJE = 'Escríbenos por los mensajes de tu compra.';

/**
 * Tells whether a customer may still correct a factura: in its month, and no more than `CORRECCIONES` for its sale, through any links. An
 * impediment to its cancellation is one here too; the customer is not told which.
 */
export async function correccionOfCliente(db: Db | Trx, facturaId: string, now: Date): Promise<CorreccionCliente> {
  const factura = await db
    .selectFrom('factura')
    .select(['id', 'tipo', 'serie', 'folio', 'fecha', 'market', 'numOrden'])
    .where('id', '=', facturaId)
    .executeTakeFirstOrThrow();
  const pedidas = await askedOf(db, factura, now);
  const { impedimento, sustituto } = await cancelableOf(db, facturaId, now);
  const mes = monthOf(factura.fecha);
  const quedan = Math.max(0, CORRECCIONES.veces - pedidas.length);
  return {
    facturaId,
    folio: `${factura.serie}-${factura.folio}`,
    quedan,
    hasta: mes.last,
    impedimento: reason(),
  };

  function reason(): string | null {
    if (civilDay(now) > mes.last)
      return `El mes de tu factura (${nombreOfMes(mes.month)}) ya cerró y sus datos ya no se corrigen aquí. ${POR_MENSAJE}`;
    if (quedan === 0) {
      const desde = addDays(civilDay(pedidas[0]!), CORRECCIONES.dias).split('-').reverse().join('/');
      return `Los datos de esta compra ya se corrigieron dos veces en ${CORRECCIONES.dias} días. Podrías corregirlos otra vez desde el ${desde}, si el mes sigue abierto. ${POR_MENSAJE}`;
    }
    if (impedimento !== null || sustituto !== null || factura.tipo !== 'individual')
      return `Los datos de esta factura ya no se pueden corregir aquí. ${POR_MENSAJE}`;
    return null;
  }
}

/** The instants of the sale's corrections in the last days, oldest first. Corrections that were refused or taken back do not count. */
async function askedOf(
  db: Db | Trx,
  { market, numOrden }: { market: string | null; numOrden: string | null },
  now: Date,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('correccionCliente')
    .innerJoin('factura', 'factura.id', 'correccionCliente.facturaId')
    .innerJoin('effect', 'effect.id', 'correccionCliente.effectId')
    .select('pedidaEn')
    .where('factura.numOrden', '=', numOrden)
    .where(sql<boolean>`factura.market is not distinct from ${market}`)
    .where('effect.state', 'not in', ['refused', 'cancelled'])
    .where('pedidaEn', '>', new Date(now.getTime() - CORRECCIONES.dias * 86_400_000))
    .orderBy('pedidaEn')
    .execute();
  return rows.map(({ pedidaEn }) => pedidaEn);
}

/** Counts a correction with the stamp that makes it, in the transaction that accepts the stamp. A second press of the button counts once. */
export async function noteCorreccion(
  trx: Trx,
  correccion: { effectId: string; enlaceId: string; facturaId: string },
): Promise<void> {
  await trx
    .insertInto('correccionCliente')
    .values(correccion)
    .onConflict((conflict) => conflict.column('effectId').doNothing())
    .execute();
}

/** Tells whether a factura exists because its customer corrected another one. */
export async function isAskedByCliente(db: Db, facturaId: string): Promise<boolean> {
  const row = await db
    .selectFrom('correccionCliente')
    .innerJoin('factura', 'factura.effectId', 'correccionCliente.effectId')
    .select('factura.id')
    .where('factura.id', '=', facturaId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Tells whether a factura was made by its customer, through a link. */
export async function isMadeByCliente(db: Db, facturaId: string): Promise<boolean> {
  const row = await db
    .selectFrom('factura')
    .innerJoin('facturaDraft', 'facturaDraft.effectId', 'factura.effectId')
    .select('factura.id')
    .where('factura.id', '=', facturaId)
    .where('facturaDraft.enlaceId', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The corrections of a factura as its dialog shows them. */
export type Correcciones = {
  cancelable: Cancelable;
  /** The newest request, settled or not. */
  cancelacion: {
    motivo: Motivo;
    estado: EstadoCancelacion;
    respuesta: string | null;
    pedidaEn: Date;
    resueltaEn: Date | null;
    /** Whether the SAT's receipt can be downloaded. */ conAcuse: boolean;
    /** Whether the SAT has known nothing of the request for days. */ sinNoticia: boolean;
  } | null;
  /** Another factura of the same sale that stands too. */
  otraVigente: OtraVigente | null;
  sustituye: { id: string; folio: string } | null;
  /** The factura that a credit note takes back from. */
  acredita: { id: string; folio: string; uuid: string } | null;
  /** The standing credit notes of a factura, the newest when they are many. */
  notas: { id: string; folio: string }[];
  linea: Hito[];
  /** Corrections by the customer: whether this factura is one, and what is left. Null when its customer did not make the factura. */
  cliente: ({ pedida: boolean } & Pick<CorreccionCliente, 'quedan' | 'hasta' | 'impedimento'>) | null;
};

/** Most credit notes of the dialog. A global may have hundreds, and the list of credit notes has them all. */
const MOST_NOTAS = 8;

/** Reads the corrections of a factura for its dialog; undefined when there is no such factura. */
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
  if (!(await isMadeByCliente(db, id))) return null;
  const [pedida, { quedan, hasta, impedimento }] = [
    await isAskedByCliente(db, id),
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
