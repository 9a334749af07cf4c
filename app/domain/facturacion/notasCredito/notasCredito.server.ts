import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { isGenericRfc } from '~/core/rfc';
import { civilDay, nombreOfMes } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { unidadOf, USO_GENERICO } from '~/domain/facturacion/sat/opciones';
import { FORMAS_PAGO, USOS } from '~/domain/facturacion/sat/sat';
import { createBatch, failedRequests, lockBatches, sharedBatch } from '~/platform/batches/batches.server';
import { acceptEffects } from '~/platform/effects/effects.server';
import type { NewCfdi, NewConcepto } from '~/integrations/facturacom/nouns';
import type { Db, Trx } from '~db/client.server';
import { textoCfdi } from '~/domain/facturacion/cfdi/articulos';
import { splitLineas, writtenAmounts } from '~/domain/facturacion/cfdi/importes';
import { lockReceptores } from '~/domain/facturacion/receptores/receptor.server';
import { requireEmisor, type Emisor } from '~/domain/facturacion/cfdi/emisor.server';
import { informacionGlobalOf, TABLAS, whyNotYet, type Mes } from '~/domain/facturacion/mes/mes';
import { requireMesVisto, type MesVisto } from '~/domain/facturacion/mes/mesView.server';
import { SIN_NOTA, type Acreditable, type Parte, type SinNota } from './notasCreditoPlan';
import { fechaOfFactura } from '~/domain/facturacion/cfdi/precheck';
import {
  FROM,
  marcaDeParte,
  ventasOf,
  type FacturaOrigen,
  type TablaDeNotas,
} from './internal/ventasPorAcreditar.server';
import { stampNotaCredito, type NotaCreditoRequest } from './internal/stampNotaCredito.server';

const TITULO = 'Error al Crear Notas de Credito.';
const SERVICIOS_DE_FACTURACION = '84111506';
const USO_DEVOLUCION = 'G02';
const NOTA_DE_CREDITO = '01';

type Emitir = { mes: Mes; tabla: TablaDeNotas; usuarioId: string | null; now: Date };

/**
 * 'Notas de Credito' of a table: accepts one credit note per sale and factura as a batch, and returns the batch. Two presses share it.
 * Throws NotAllowed when there is nothing to credit, with the reasons, and Stale when the table is not as it was shown.
 */
export async function issueNotas(
  db: Db,
  {
    mes,
    tabla,
    usuarioId,
    now,
    visto,
  }: Emitir & {
    /** The sales that the screen showed; a caller without a screen takes those there are. */ visto?: MesVisto;
  },
): Promise<string> {
  const motivo = whyNotYet(mes, now);
  if (motivo) throw new NotAllowed(TITULO, motivo);
  const { lote, titulo } = TABLAS[tabla];
  return db.transaction().execute(async (trx) => {
    await lockBatches(trx, lote, mes);
    const shared = await sharedBatch(trx, lote, mes);
    if (shared?.living) return shared.id;
    const plan = await planOf(trx, { mes, tabla, now });
    if (plan.length === 0) {
      if (shared) return shared.id;
      const sinNota = await sinNotaOf(trx, mes, tabla);
      throw new NotAllowed(
        TITULO,
        [
          `No hay notas de crédito por emitir de ${nombreOfMes(mes)}.`,
          ...sinNota.map(({ numOrden, motivo }) => `Venta ${numOrden}: ${SIN_NOTA[motivo]}`),
        ].join(' '),
      );
    }
    if (visto) await requireMesVisto(trx, TITULO, { tabla, mes, visto });
    const batchId = await createBatch(trx, {
      type: lote,
      clave: mes,
      label: `Notas de crédito de ${titulo}, ${nombreOfMes(mes)}`,
      total: plan.length,
      usuarioId,
    });
    await acceptNotas(trx, plan, { batchId, usuarioId });
    await record(trx, {
      usuarioId,
      entidad: 'mes',
      entidadId: mes,
      accion: 'emitir notas de crédito',
      datos: { lote: batchId, tabla, notas: plan.length },
    });
    return batchId;
  });
}

/** 'Reintentar fallidas': plans the refused notes of a batch again, with today's data, and accepts them. Throws NotAllowed when none is left. */
export async function retryNotas(
  db: Db,
  { batchId, mes, tabla, usuarioId, now }: Emitir & { batchId: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockBatches(trx, TABLAS[tabla].lote, mes);
    const failed = await failedRequests(trx, batchId, Failed);
    if (failed.length === 0) throw new NotAllowed(TITULO, 'No hay notas de crédito por reintentar.');
    const wanted = new Set(failed.map(parOf));
    const plan = (await planOf(trx, { mes, tabla, now })).filter(({ request }) => wanted.has(parOf(request)));
    if (plan.length === 0)
      throw new NotAllowed(
        TITULO,
        'Las ventas de las notas fallidas ya tienen su nota de crédito, o su factura cambió.',
      );
    await acceptNotas(trx, plan, { batchId, usuarioId });
    await record(trx, {
      usuarioId,
      entidad: 'mes',
      entidadId: mes,
      accion: 'reintentar notas de crédito',
      datos: { lote: batchId, tabla, notas: plan.length },
    });
  });
}

const Failed = z.object({
  facturaId: z.string(),
  market: z.string(),
  numOrden: z.string(),
  parte: z.string().optional(),
});
/** The key of a note: a factura and a sale of it, or a part of one. */
const parOf = ({ facturaId, market, numOrden, parte = '' }: z.infer<typeof Failed>) =>
  `${facturaId} ${market} ${numOrden} ${parte}`;

type Nota = { request: NotaCreditoRequest; parte: Parte };

/**
 * Every note that the table asks for now. Locks the facturas and the rows it reads until the transaction ends. Throws NotAllowed without a
 * series for credit notes.
 */
async function planOf(trx: Trx, { mes, tabla, now }: { mes: Mes; tabla: TablaDeNotas; now: Date }): Promise<Nota[]> {
  const emisor = await requireEmisor(trx);
  if (emisor.serieNotaCredito === null)
    throw new NotAllowed(TITULO, 'La cuenta de factura.com no tiene una serie activa de notas de crédito.');
  const lock = sql`select 1 ${FROM[tabla](mes)} order by factura.id for no key update of factura`;
  await lock.execute(trx);
  const { rows: receptores } = await sql<{ rfc: string }>`select distinct factura.rfc ${FROM[tabla](mes)}`.execute(trx);
  await lockReceptores(
    trx,
    receptores.map(({ rfc }) => rfc),
    'timbrar',
  );
  if (tabla === 'refacturacion')
    await sql`select 1 ${FROM.refacturacion(mes)} order by refacturacion.id for update of refacturacion`.execute(trx);
  // A second statement no longer sees sales that were credited or undone while the first one waited.
  const ventas = await ventasOf(trx, FROM[tabla](mes), { parcial: tabla === 'parciales' });
  return ventas.flatMap(({ factura, ordenes, parte }): Nota[] =>
    typeof parte === 'string' ? [] : [{ parte, request: requestOf({ factura, ordenes, parte, tabla, emisor, now }) }],
  );
}

/** A sale that gets no credit note, with the reason. */
export type VentaSinNota = { numOrden: string; folio: string; motivo: SinNota };

/** The sales of a month that get no credit note, of every table. */
export async function ventasSinNota(db: Db | Trx, mes: Mes): Promise<VentaSinNota[]> {
  const tablas = await Promise.all(
    (['refacturacion', 'devueltas', 'parciales'] as const).map((tabla) => sinNotaOf(db, mes, tabla)),
  );
  return tablas.flat();
}

/**
 * The sales of a table that get no credit note. Only part of a cart, an amount that another note used up, or a concept of a changed number
 * can leave a sale out, so sales of a single orden that still have their number are not read. Of sales given back in part all are read: few are.
 */
async function sinNotaOf(db: Db | Trx, mes: Mes, tabla: TablaDeNotas): Promise<VentaSinNota[]> {
  // The query goes from the few ordenes of the cart to the factura: a global holds hundreds, and each would be read for each.
  const enCarrito = sql<boolean>`(orden.pack_id is not null and exists (
    select from (select h.id from orden h where h.num_orden = orden.num_orden and h.market = orden.market
      and h.id <> orden.id offset 0) hermana
      join factura_orden fo on fo.orden_id = hermana.id and fo.factura_id = factura.id))`;
  const renombrada = sql<boolean>`(factura.tipo = 'global' and orden.num_orden <> orden.market_id and not exists (
    select from factura_concepto c where c.factura_id = factura.id and c.no_identificacion = orden.num_orden))`;
  const parcial = tabla === 'parciales';
  const from = FROM[tabla](mes);
  const ventas = await ventasOf(db, parcial ? from : sql`${from} and (${enCarrito} or ${renombrada})`, { parcial });
  return ventas.flatMap(({ factura, ordenes, parte }) =>
    typeof parte === 'string'
      ? [{ numOrden: ordenes[0]!.numOrden, folio: `${factura.serie}-${factura.folio}`, motivo: parte }]
      : [],
  );
}

type Pedido = {
  factura: FacturaOrigen;
  ordenes: readonly (Acreditable & { formaPago: string | null })[];
  parte: Parte;
  tabla: TablaDeNotas;
  emisor: Emisor;
  now: Date;
};

const MOTIVO = { refacturacion: 'refacturacion', devueltas: 'devuelta', parciales: 'parcial' } as const;

function requestOf({ factura, ordenes, parte, tabla, emisor, now }: Pedido): NotaCreditoRequest {
  const { market, numOrden } = ordenes[0]!;
  const folio = `${factura.serie}-${factura.folio}`;
  const written = writtenAmounts(splitLineas(parte.lineas.map((linea) => ({ ...linea, cantidad: 1 }))));
  const descripcion = {
    refacturacion: `Venta ${numOrden} de la factura global ${folio}, facturada a su comprador`,
    devueltas: `Devolución de la venta ${numOrden} de la factura ${folio}`,
    parciales: `Devolución parcial de la venta ${numOrden} de la factura ${folio}`,
  }[tabla];
  const conceptos = written.conceptos.map(({ valorUnitario, importe, base, tasaIva, iva }): NewConcepto => ({
    claveProdServ: SERVICIOS_DE_FACTURACION,
    noIdentificacion: textoCfdi(numOrden, 100),
    cantidad: 1,
    claveUnidad: 'ACT',
    unidad: unidadOf('ACT'),
    descripcion: textoCfdi(descripcion, 1000),
    valorUnitario,
    importe,
    base,
    tasaIva: tasaIva as NewConcepto['tasaIva'],
    iva,
  }));
  const global = factura.tipo === 'global' && env().NOTA_CREDITO_GLOBAL === '1' && factura.mes !== null;
  return {
    market,
    numOrden,
    facturaId: factura.id,
    folio,
    ordenIds: parte.ordenIds,
    motivo: MOTIVO[tabla],
    ...(tabla === 'parciales' && { parte: marcaDeParte(ordenes[0]!) }),
    clienteFiscalId: factura.clienteFiscalId,
    emails: factura.emails,
    cfdi: {
      tipo: 'nota_credito',
      serieId: emisor.serieNotaCredito!,
      receptor: receptorOf(factura, emisor),
      usoCfdi: usoOf(factura.regimen),
      formaPago: formaOf(factura, ordenes),
      fecha: fechaOfFactura(civilDay(now), now),
      lugarExpedicion: emisor.cp,
      conceptos,
      subTotal: written.subTotal,
      iva: written.totalTraslados,
      total: written.total,
      relacionados: { tipoRelacion: NOTA_DE_CREDITO, uuids: [factura.uuid] },
      ...(global && { informacionGlobal: informacionGlobalOf(factura.mes!) }),
    },
  };
}

function receptorOf({ uid, rfc, razonSocial, cp, regimen }: FacturaOrigen, emisor: Emisor): NewCfdi['receptor'] {
  return { uid, rfc, nombre: razonSocial, cp: isGenericRfc(rfc) ? emisor.cp : cp, regimen };
}

/** The use 'Devoluciones, descuentos o bonificaciones' where the regime may have it, else the generic one. */
function usoOf(regimen: string): string {
  return USOS.some(({ id, regimenes }) => id === USO_DEVOLUCION && regimenes.includes(regimen))
    ? USO_DEVOLUCION
    : USO_GENERICO;
}

/**
 * The payment form of the refund, which goes back the way the money came: the sale's own in a global, whose form is that of its largest
 * sale; else the factura's.
 */
function formaOf(factura: FacturaOrigen, ordenes: Pedido['ordenes']): string {
  const own = factura.tipo === 'global' ? ordenes[0]!.formaPago : null;
  return own !== null && own !== '99' && FORMAS_PAGO.some(({ id }) => id === own) ? own : factura.formaPago;
}

/**
 * Accepts the stamps and writes the amount that each takes back; the database refuses more than the factura charged. Throws NotAllowed when
 * all are under way already.
 */
async function acceptNotas(
  trx: Trx,
  plan: readonly Nota[],
  { batchId, usuarioId }: { batchId: string; usuarioId: string | null },
): Promise<void> {
  const accepted = await acceptEffects(
    trx,
    stampNotaCredito,
    plan.map(({ request }) => request),
    { batchId, usuarioId },
  );
  const effectOf = new Map(accepted.map(({ id, request }) => [request, id]));
  const rows = plan.flatMap(({ request, parte }) => {
    const effectId = effectOf.get(request);
    // The living note of this sale and factura is for other ordenes of it: these wait for the next batch.
    return effectId === undefined
      ? []
      : parte.ordenIds.map((ordenId, at) => ({
          facturaId: request.facturaId,
          ordenId,
          effectId,
          importe: parte.importes[at]!,
          parcial: request.motivo === 'parcial',
        }));
  });
  if (rows.length === 0) throw new NotAllowed(TITULO, 'Las notas de crédito de estas ventas ya se están generando.');
  if (accepted.length < plan.length) {
    await trx
      .updateTable('batch')
      .set((eb) => ({ total: eb('total', '-', plan.length - accepted.length) }))
      .where('id', '=', batchId)
      .where('total', '>', plan.length - accepted.length)
      .execute();
  }
  await sql`insert into nota_credito_orden (factura_id, orden_id, effect_id, importe, parcial)
    select * from unnest(${rows.map(({ facturaId }) => facturaId)}::uuid[], ${rows.map(({ ordenId }) => ordenId)}::uuid[],
      ${rows.map(({ effectId }) => effectId)}::uuid[], ${rows.map(({ importe }) => importe.toFixed(2))}::numeric[],
      ${rows.map(({ parcial }) => parcial)}::boolean[])`.execute(trx);
}
