import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { groupBy } from '~/core/groupBy';
import { Money } from '~/core/money';
import { isGenericRfc } from '~/core/rfc';
import { civilDay, nombreOfMes } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { unidadOf, USO_GENERICO } from '~/domain/facturacion/sat/opciones';
import { FORMAS_PAGO, USOS } from '~/domain/facturacion/sat/sat';
import { createBatch, failedRequests, lockBatches, sharedBatch } from '~/platform/batches/batches.server';
import { acceptEffects } from '~/platform/effects/effects.server';
import type { NewCfdi, NewConcepto } from '~/integrations/facturacom/nouns';
import type { Db, Trx } from '~db/client.server';
import type { Market, MotivoNotaCredito } from '~db/columns';
import { textoCfdi } from '~/domain/facturacion/cfdi/articulos';
import { splitLineas, writtenAmounts } from '~/domain/facturacion/cfdi/importes';
import { lockReceptores } from '~/domain/facturacion/receptores/receptor.server';
import { requireEmisor, type Emisor } from '~/domain/facturacion/cfdi/emisor.server';
import { informacionGlobalOf, TABLAS, whyNotYet, type Mes, type Tabla } from '~/domain/facturacion/mes/mes';
import { requireMesVisto, type MesVisto } from '~/domain/facturacion/mes/mesView.server';
import {
  OTRAS_TASAS,
  porNotaOfDevolucion,
  porNotaOfRefacturacion,
  sinNota,
  VOLVIO,
} from '~/domain/facturacion/mes/mes.server';
import { parteOf, SIN_NOTA, type Acreditable, type FacturaDeNota, type Parte, type SinNota } from './notasCreditoPlan';
import { fechaOfFactura } from '~/domain/facturacion/cfdi/precheck';
import { stampNotaCredito, type NotaCreditoRequest } from './internal/stampNotaCredito.server';

const TITULO = 'Error al Crear Notas de Credito.';
const SERVICIOS_DE_FACTURACION = '84111506';
const USO_DEVOLUCION = 'G02';
const NOTA_DE_CREDITO = '01';

export type TablaDeNotas = Exclude<Tabla, 'ordenes'>;
type Emitir = { mes: Mes; tabla: TablaDeNotas; usuarioId: string | null; now: Date };

/** 'Notas de Credito' of one of the two tables: a batch with one credit note per sale and factura. Two presses share the batch. */
export async function issueNotas(
  db: Db,
  {
    mes,
    tabla,
    usuarioId,
    now,
    visto,
  }: Emitir & { /** Whoever asks without a screen takes what there is. */ visto?: MesVisto },
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
    await take(trx, plan, { batchId, usuarioId });
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

/** 'Reintentar fallidas': the sales of the batch whose note was refused, planned again with today's data. */
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
    await take(trx, plan, { batchId, usuarioId });
    await record(trx, {
      usuarioId,
      entidad: 'mes',
      entidadId: mes,
      accion: 'reintentar notas de crédito',
      datos: { lote: batchId, tabla, notas: plan.length },
    });
  });
}

const Failed = z.object({ facturaId: z.string(), market: z.string(), numOrden: z.string() });
/** A factura and a sale of it: what one note is for. */
const parOf = ({ facturaId, market, numOrden }: z.infer<typeof Failed>) => `${facturaId} ${market} ${numOrden}`;

type Nota = { request: NotaCreditoRequest; parte: Parte };

/** Every note the table asks for now. Holds the facturas and the rows it reads until the transaction ends. */
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
  // Another statement, another look: what was credited or undone while this waited is no longer in it.
  const ventas = await ventasOf(trx, FROM[tabla](mes));
  return ventas.flatMap(({ factura, ordenes, parte }): Nota[] =>
    typeof parte === 'string' ? [] : [{ parte, request: requestOf({ factura, ordenes, parte, tabla, emisor, now }) }],
  );
}

export type VentaSinNota = { numOrden: string; folio: string; motivo: SinNota };

/** The sales of a month that get no credit note, of both tables. */
export async function ventasSinNota(db: Db | Trx, mes: Mes): Promise<VentaSinNota[]> {
  const tablas = await Promise.all((['refacturacion', 'devueltas'] as const).map((tabla) => sinNotaOf(db, mes, tabla)));
  return tablas.flat();
}

/**
 * The sales of a table that get no credit note, and why. Only part of a cart, what another note has used up, or a concept that nobody recognises any
 * more can leave one out: sales of a single orden that still have their number are not looked at.
 */
async function sinNotaOf(db: Db | Trx, mes: Mes, tabla: TablaDeNotas): Promise<VentaSinNota[]> {
  // From the few ordenes of the cart to the factura: a global holds hundreds, and each would be looked at for each.
  const enCarrito = sql<boolean>`(orden.pack_id is not null and exists (
    select from (select h.id from orden h where h.num_orden = orden.num_orden and h.market = orden.market and h.id <> orden.id offset 0) hermana
      join factura_orden fo on fo.orden_id = hermana.id and fo.factura_id = factura.id))`;
  const renombrada = sql<boolean>`(factura.tipo = 'global' and orden.num_orden <> orden.market_id and not exists (
    select from factura_concepto c where c.factura_id = factura.id and c.no_identificacion = orden.num_orden))`;
  const ventas = await ventasOf(db, sql`${FROM[tabla](mes)} and (${enCarrito} or ${renombrada})`);
  return ventas.flatMap(({ factura, ordenes, parte }) =>
    typeof parte === 'string'
      ? [{ numOrden: ordenes[0]!.numOrden, folio: `${factura.serie}-${factura.folio}`, motivo: parte }]
      : [],
  );
}

type Pagada = Acreditable & { formaPago: string | null };

/** Each sale and factura of what `from` chooses, with what its note takes back. */
async function ventasOf(
  db: Db | Trx,
  from: ReturnType<typeof sql>,
): Promise<{ factura: FacturaOrigen; ordenes: Pagada[]; parte: Parte | SinNota }[]> {
  const { rows } = await sql<Pagada>`
    select orden.id as orden_id, factura.id as factura_id, orden.market, orden.num_orden, orden.pagado_abs as pagado, orden.forma_pago,
      (select fo.importe from factura_orden fo where fo.factura_id = factura.id and fo.orden_id = orden.id) as importe
    ${from} order by orden.fecha_creacion, orden.market_id`.execute(db);
  if (rows.length === 0) return [];
  const facturas = await facturasOf(db, rows);
  const sales = groupBy(rows, ({ facturaId, market, numOrden }) => `${facturaId}:${market}:${numOrden}`);
  return [...sales.values()].map((ordenes) => {
    const factura = facturas.get(ordenes[0]!.facturaId)!;
    return { factura, ordenes, parte: parteOf(factura, ordenes) };
  });
}

const FROM: Record<TablaDeNotas, (mes: Mes) => ReturnType<typeof sql>> = {
  refacturacion: (mes) =>
    sql`from refacturacion join orden on orden.id = refacturacion.orden_id join factura on factura.id = refacturacion.global_id where ${porNotaOfRefacturacion(mes)}`,
  devueltas: (mes) =>
    sql`from orden join factura_orden on factura_orden.orden_id = orden.id join factura on factura.id = factura_orden.factura_id where ${porNotaOfDevolucion(mes)}`,
};

/** What a note of one sale of a factura would take back now, whoever asks. */
export type VentaPorAcreditar = {
  market: Market;
  motivo: MotivoNotaCredito;
  ordenIds: string[];
  importes: Money[];
  total: Money;
};

/** The sale of a number in a factura, of ordenes that no note took back; undefined where there is nothing to credit. `soloVueltas`: of those that came back. */
export async function ventaPorAcreditar(
  trx: Trx,
  { facturaId, numOrden, soloVueltas = false }: { facturaId: string; numOrden: string; soloVueltas?: boolean },
): Promise<VentaPorAcreditar | undefined> {
  const [venta] = await ventasOf(
    trx,
    sql`from orden join factura_orden on factura_orden.orden_id = orden.id join factura on factura.id = factura_orden.factura_id
      where factura.id = ${facturaId} and orden.num_orden = ${numOrden} and ${sinNota('factura.id')} ${soloVueltas ? sql`and ${VOLVIO}` : sql``}`,
  );
  if (!venta || typeof venta.parte === 'string') return undefined;
  const { ordenIds, importes } = venta.parte;
  const debida = await trx
    .selectFrom('refacturacion')
    .select('id')
    .where('globalId', '=', facturaId)
    .where('ordenId', 'in', ordenIds)
    .executeTakeFirst();
  return {
    market: venta.ordenes[0]!.market,
    motivo: debida ? 'refacturacion' : 'devuelta',
    ordenIds,
    importes,
    total: Money.sum(importes),
  };
}

type FacturaOrigen = FacturaDeNota & {
  serie: string;
  folio: number;
  uuid: string;
  formaPago: string;
  rfc: string;
  razonSocial: string;
  cp: string;
  regimen: string;
  uid: string;
  mes: string | null;
  clienteFiscalId: string | null;
  emails: string[];
};

/**
 * The facturas with what is left of them, and their receiver as the PAC has it now: a credit note is checked against today's register. Of an invoice that was mailed, the
 * note goes to the addresses of its tax record.
 */
async function facturasOf(db: Db | Trx, acreditables: readonly Acreditable[]): Promise<Map<string, FacturaOrigen>> {
  const ids = [...new Set(acreditables.map(({ facturaId }) => facturaId))];
  const ordenIds = [...new Set(acreditables.map(({ ordenId }) => ordenId))];
  const numbers = [...new Set(acreditables.map(({ numOrden }) => numOrden))];
  const [facturas, conceptos] = [
    await sql<Omit<FacturaOrigen, 'conceptos' | 'repartos'>>`
      select f.id, f.tipo, f.total, f.serie, f.folio, f.uuid, f.forma_pago, f.rfc, f.cliente_fiscal_id,
        case when cardinality(f.emails) > 0 and cardinality(c.emails) > 0 then c.emails else f.emails end as emails,
        f.receptor_uid as uid, g.mes,
        coalesce(c.razon_social, f.razon_social) as razon_social, coalesce(c.cp, f.cp) as cp, coalesce(c.regimen, f.regimen) as regimen,
        coalesce((select sum(n.importe) from nota_credito_orden n where n.factura_id = f.id), 0) as acreditado,
        case when f.tipo = 'individual' then array(select fo.orden_id from factura_orden fo where fo.factura_id = f.id
          and not exists (select from nota_credito_orden n where n.factura_id = f.id and n.orden_id = fo.orden_id)) else '{}' end as pendientes
      from factura f left join global_numero g on g.effect_id = f.effect_id left join cliente_fiscal c on c.uid = f.receptor_uid and c.rfc = f.rfc
      where f.id = any(${ids})`.execute(db),
    await sql<FacturaDeNota['conceptos'][number] & { facturaId: string }>`
      select c.factura_id, c.orden_id, c.no_identificacion as num_orden, c.tasa_iva::text as tasa_iva, c.importe + c.iva as total
      from factura_concepto c join factura f on f.id = c.factura_id
      where f.id = any(${ids}) and (f.tipo <> 'global' or c.orden_id = any(${ordenIds}) or c.no_identificacion = any(${numbers}))
      order by c.factura_id, c.posicion`.execute(db),
  ];
  const byFactura = groupBy(conceptos.rows, ({ facturaId }) => facturaId);
  const globales = facturas.rows.filter(({ tipo }) => tipo === 'global').map(({ id }) => id);
  const repartos = groupBy(await repartosOf(db, globales, conceptos.rows), ({ facturaId }) => facturaId);
  return new Map(
    facturas.rows.map((factura) => [
      factura.id,
      { ...factura, conceptos: byFactura.get(factura.id) ?? [], repartos: repartos.get(factura.id) ?? [] },
    ]),
  );
}

/** How the sales of more than one rate are made up, orden by orden, under the number they were stamped with. Most months have none. */
async function repartosOf(
  db: Db | Trx,
  globales: string[],
  conceptos: readonly { facturaId: string; numOrden: string | null }[],
) {
  const times = groupBy(
    conceptos.filter(({ facturaId }) => globales.includes(facturaId)),
    ({ facturaId, numOrden }) => `${facturaId}:${numOrden ?? ''}`,
  );
  const mixed = [...times.values()].filter((of) => of.length > 1).map(([first]) => first!.numOrden);
  if (mixed.length === 0) return [];
  const { rows } = await sql<FacturaDeNota['repartos'][number] & { facturaId: string }>`
    with de_la_venta as (
      select fo.factura_id, fo.orden_id, fo.importe, coalesce(c.no_identificacion, o.num_orden) as num_orden
      from factura_orden fo join orden o on o.id = fo.orden_id
        left join (select distinct factura_id, orden_id, no_identificacion from factura_concepto where factura_id = any(${globales})) c on c.factura_id = fo.factura_id and c.orden_id = fo.orden_id
      where fo.factura_id = any(${globales})
    )
    select v.factura_id, orden.id as orden_id, v.num_orden, v.importe as pagado, ${OTRAS_TASAS} as otras
    from de_la_venta v join orden on orden.id = v.orden_id where v.num_orden = any(${mixed})
    order by orden.fecha_creacion, orden.market_id`.execute(db);
  return rows;
}

type Pedido = {
  factura: FacturaOrigen;
  ordenes: readonly (Acreditable & { formaPago: string | null })[];
  parte: Parte;
  tabla: TablaDeNotas;
  emisor: Emisor;
  now: Date;
};

function requestOf({ factura, ordenes, parte, tabla, emisor, now }: Pedido): NotaCreditoRequest {
  const { market, numOrden } = ordenes[0]!;
  const folio = `${factura.serie}-${factura.folio}`;
  const written = writtenAmounts(splitLineas(parte.lineas.map((linea) => ({ ...linea, cantidad: 1 }))));
  const descripcion =
    tabla === 'refacturacion'
      ? `Venta ${numOrden} de la factura global ${folio}, facturada a su comprador`
      : `Devolución de la venta ${numOrden} de la factura ${folio}`;
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
    motivo: tabla === 'refacturacion' ? 'refacturacion' : 'devuelta',
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

/** 'Devoluciones, descuentos o bonificaciones', where the regime may use it. */
function usoOf(regimen: string): string {
  return USOS.some(({ id, regimenes }) => id === USO_DEVOLUCION && regimenes.includes(regimen))
    ? USO_DEVOLUCION
    : USO_GENERICO;
}

/** A refund goes back the way the money came: the sale's own form in a global, which has that of its largest sale; else the factura's. */
function formaOf(factura: FacturaOrigen, ordenes: Pedido['ordenes']): string {
  const own = factura.tipo === 'global' ? ordenes[0]!.formaPago : null;
  return own !== null && own !== '99' && FORMAS_PAGO.some(({ id }) => id === own) ? own : factura.formaPago;
}

/** Accepts the stamps and writes what each takes back, which the database holds to what its factura charged. */
async function take(
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
    // A note of the same sale and factura is under way for other ordenes of it: these wait for the next batch.
    return effectId === undefined
      ? []
      : parte.ordenIds.map((ordenId, at) => ({
          facturaId: request.facturaId,
          ordenId,
          effectId,
          importe: parte.importes[at]!,
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
  await sql`insert into nota_credito_orden (factura_id, orden_id, effect_id, importe)
    select * from unnest(${rows.map(({ facturaId }) => facturaId)}::uuid[], ${rows.map(({ ordenId }) => ordenId)}::uuid[],
      ${rows.map(({ effectId }) => effectId)}::uuid[], ${rows.map(({ importe }) => importe.toFixed(2))}::numeric[])`.execute(
    trx,
  );
}
