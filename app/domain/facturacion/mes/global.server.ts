import { sql } from 'kysely';
import { z } from 'zod';
import { env } from '~/core/env.server';
import type { Money } from '~/core/money';
import { NotAllowed } from '~/core/errors';
import { civilDay, nombreOfMes } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { FORMAS_PAGO } from '~/domain/facturacion/sat/sat';
import { USO_GENERICO, unidadOf } from '~/domain/facturacion/sat/opciones';
import { createBatch, failedRequests, lockBatches, sharedBatch } from '~/platform/batches/batches.server';
import { acceptEffects } from '~/platform/effects/effects.server';
import type { NewCfdi, NewConcepto } from '~/integrations/facturacom/nouns';
import type { Db, Trx } from '~db/client.server';
import type { Market } from '~db/columns';
import { CODIGO_SAT_GENERICO, textoCfdi } from '~/domain/facturacion/cfdi/articulos';
import {
  CfdiAmountsError,
  splitResidual,
  verifyCfdiAmounts,
  writtenAmounts,
  porTasa,
  type PagoPorTasa,
} from '~/domain/facturacion/cfdi/importes';
import { requireEmisor } from '~/domain/facturacion/cfdi/emisor.server';
import { numerosOf, type Numeros } from './internal/globalNumeros.server';
import { informacionGlobalOf, TABLAS, whyNotMes, type Mes } from './mes';
import { OTRAS_TASAS, porFacturar } from './mes.server';
import { requireMesVisto, type MesVisto } from './mesView.server';
import { fechaOfFactura } from '~/domain/facturacion/cfdi/precheck';
import { ensurePublicoGeneral } from '~/domain/facturacion/receptores/receptor.server';
import type { GlobalRequest } from './internal/globalRequest';
import { stampGlobal } from './internal/stampGlobal.server';

const TITULO = 'Error al facturar.';
const LOTE = TABLAS.ordenes.lote;
/** The payment form when the marketplace does not tell that of the largest sale: the marketplace collected the money. */
const FORMA_INTERMEDIARIO = '31';

type Generar = { mes: Mes; usuarioId: string | null; now: Date };
/** The sales that the screen showed; a caller without a screen takes those there are. */
type Visto = { visto?: MesVisto };

/**
 * 'Generar Factura': accepts the global of a month's sales without a document, as one batch of as many CFDI as their number asks for, and
 * returns the batch. All claims are taken in one transaction. A second press returns the batch that is running. Throws NotAllowed for a
 * month without sales or without a global, Stale when the sales are not those that were shown, and CompanyFault without a linked PAC.
 */
export async function generateGlobal(db: Db, { mes, usuarioId, now, visto }: Generar & Visto): Promise<string> {
  const motivo = whyNotMes(mes, now);
  if (motivo) throw new NotAllowed(TITULO, motivo);
  const receptor = await ensurePublicoGeneral(db, TITULO, usuarioId);
  return db.transaction().execute(async (trx) => {
    await lockBatches(trx, LOTE, mes);
    const shared = await sharedBatch(trx, LOTE, mes);
    if (shared?.living) return shared.id;
    const ventas = await lockVentas(trx, mes);
    if (ventas.length === 0) {
      if (shared) return shared.id;
      throw new NotAllowed(TITULO, `No hay ventas por facturar en ${nombreOfMes(mes)}.`);
    }
    if (visto) await requireMesVisto(trx, TITULO, { tabla: 'ordenes', mes, visto });
    const parts = numbered(ventas, await numerosOf(trx, mes), env().GLOBAL_CONCEPTOS);
    const emision = await emisionOf(trx, receptor, now);
    const requests = parts.map(({ numero, part }) => requestOf(part, { mes, numero, emision }));
    const batchId = await createBatch(trx, {
      type: LOTE,
      clave: mes,
      label: `Factura global de ${nombreOfMes(mes)}`,
      total: requests.length,
      usuarioId,
    });
    await acceptStamps(trx, requests, { batchId, usuarioId });
    await record(trx, {
      usuarioId,
      entidad: 'mes',
      entidadId: mes,
      accion: 'generar factura global',
      datos: { lote: batchId, facturas: requests.length, ventas: ventas.length },
    });
    return batchId;
  });
}

/**
 * 'Reintentar fallidas': accepts each refused CFDI of a batch once more, under its number and with those of its sales that are still free.
 * Throws NotAllowed when none is left.
 */
export async function retryGlobal(
  db: Db,
  { batchId, mes, usuarioId, now }: Generar & { batchId: string },
): Promise<void> {
  const receptor = await ensurePublicoGeneral(db, TITULO, usuarioId);
  await db.transaction().execute(async (trx) => {
    await lockBatches(trx, LOTE, mes);
    const failed = await failedRequests(trx, batchId, Failed);
    if (failed.length === 0) throw new NotAllowed(TITULO, 'No hay facturas por reintentar.');
    const ventas = await lockVentas(trx, mes);
    const emision = await emisionOf(trx, receptor, now);
    const requests = failed.flatMap(({ numero, ventas: before }) => {
      const wanted = new Set(before.map(keyOf));
      const part = ventas.filter((venta) => wanted.has(keyOf(venta)));
      return part.length === 0 ? [] : [requestOf(part, { mes, numero, emision })];
    });
    if (requests.length === 0)
      throw new NotAllowed(TITULO, 'Las ventas de las facturas fallidas ya están en otro documento.');
    await acceptStamps(trx, requests, { batchId, usuarioId });
    await record(trx, {
      usuarioId,
      entidad: 'mes',
      entidadId: mes,
      accion: 'reintentar factura global',
      datos: { lote: batchId, facturas: requests.length },
    });
  });
}

const Failed = z.object({
  numero: z.number(),
  ventas: z.array(z.object({ market: z.string(), numOrden: z.string() })),
});
const keyOf = ({ market, numOrden }: { market: string; numOrden: string }) => `${market}:${numOrden}`;

type Orden = {
  id: string;
  market: Market;
  numOrden: string;
  pagado: Money;
  formaPago: string | null;
  otras: PagoPorTasa['otras'];
};
/** The ordenes of one number: one sale. */
export type Venta = { market: Market; numOrden: string; total: Money; formaPago: string | null; ordenes: Orden[] };

/** Locks the month's ordenes without a document, in the order in which invoicing one sale locks them, and returns the sales that are still free. */
async function lockVentas(trx: Trx, mes: Mes): Promise<Venta[]> {
  await sql`select 1 from orden where ${porFacturar(mes)} order by fecha_creacion, market_id for no key update`.execute(
    trx,
  );
  // A second statement sees the ordenes that somebody invoiced while the first one waited for their locks.
  const { rows } = await sql<Orden>`
    select orden.id, orden.market, orden.num_orden, orden.pagado_abs as pagado, orden.forma_pago,
      ${OTRAS_TASAS} as otras
    from orden where ${porFacturar(mes)} order by orden.fecha_creacion, orden.market_id`.execute(trx);
  return ventasOf(rows);
}

/** Groups ordenes into sales, in the order of their first orden. A sale has the payment form of its most expensive orden. */
export function ventasOf(ordenes: readonly Orden[]): Venta[] {
  const ventas = new Map<string, Venta>();
  for (const orden of ordenes) {
    const venta = ventas.get(keyOf(orden));
    if (!venta) {
      ventas.set(keyOf(orden), {
        market: orden.market,
        numOrden: orden.numOrden,
        total: orden.pagado,
        formaPago: orden.formaPago,
        ordenes: [orden],
      });
      continue;
    }
    const largest = venta.ordenes.every(({ pagado }) => pagado.compare(orden.pagado) < 0);
    venta.ordenes.push(orden);
    venta.total = venta.total.plus(orden.pagado);
    if (largest) venta.formaPago = orden.formaPago;
  }
  return [...ventas.values()];
}

/** Splits sales into as few CFDI as the limit of concepts allows, of even size: nine hundred sales are two of 450, not 500 and 400. */
function inParts(ventas: readonly Venta[], limite: number): Venta[][] {
  const conceptos = ventas.map((venta) => porTasa(venta.ordenes).length);
  const all = conceptos.reduce((sum, n) => sum + n, 0);
  const each = Math.ceil(all / Math.ceil(all / limite));
  const parts: Venta[][] = [];
  let size = Infinity;
  ventas.forEach((venta, at) => {
    if (size + conceptos[at]! > each) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(venta);
    size += conceptos[at]!;
  });
  return parts;
}

type Numbered = { numero: number; part: Venta[] };

/**
 * The parts of a month with their numbers. Sales of a global that may have been stamped keep its number and get no others, so that the
 * PAC's document is recognised. The rest takes the numbers that a clear no left, and then new ones.
 */
function numbered(ventas: readonly Venta[], { dudosos, libres, siguiente }: Numeros, limite: number): Numbered[] {
  const rest = new Map(ventas.map((venta) => [keyOf(venta), venta]));
  const again = dudosos.flatMap(({ numero, ordenIds }): Numbered[] => {
    const asked = new Set(ordenIds);
    const part = [...rest.values()].filter(({ ordenes }) => ordenes.some(({ id }) => asked.has(id)));
    part.forEach((venta) => rest.delete(keyOf(venta)));
    return part.length === 0 ? [] : [{ numero, part }];
  });
  if (rest.size === 0) return again;
  const nuevas = inParts([...rest.values()], limite).map((part, at) => ({
    part,
    numero: libres[at] ?? siguiente + at - libres.length,
  }));
  return [...again, ...nuevas];
}

type Emision = { receptor: NewCfdi['receptor']; serieId: number; cp: string; fecha: string };

async function emisionOf(trx: Trx, receptor: NewCfdi['receptor'], now: Date): Promise<Emision> {
  const emisor = await requireEmisor(trx);
  return { receptor, serieId: emisor.serieFactura, cp: emisor.cp, fecha: fechaOfFactura(civilDay(now), now) };
}

/**
 * The request for some sales: one concept per sale and rate, with tax = gross − base, so that any number of them adds up. Throws NotAllowed
 * when they do not.
 */
export function requestOf(
  ventas: readonly Venta[],
  { mes, numero, emision }: { mes: Mes; numero: number; emision: Emision },
): GlobalRequest {
  const lineas = ventas.flatMap((venta) => porTasa(venta.ordenes).map((linea) => ({ venta, ...linea, cantidad: 1 })));
  const written = writtenAmounts(splitOf(lineas));
  const faults = verifyCfdiAmounts(written);
  if (faults[0]) throw new NotAllowed(TITULO, `Los importes de la factura global no cuadran: ${faults[0].texto}`);
  const conceptos = lineas.map(({ venta, tasaIva }, at): NewConcepto => {
    const { valorUnitario, importe, base, iva } = written.conceptos[at]!;
    return {
      claveProdServ: CODIGO_SAT_GENERICO,
      noIdentificacion: textoCfdi(venta.numOrden, 100),
      cantidad: 1,
      claveUnidad: 'ACT',
      unidad: unidadOf('ACT'),
      descripcion: 'Venta',
      valorUnitario,
      importe,
      base,
      tasaIva: tasaIva as NewConcepto['tasaIva'],
      iva,
    };
  });
  return {
    mes,
    numero,
    ventas: ventas.map(({ market, numOrden, ordenes }) => ({
      market,
      numOrden,
      conceptos: porTasa(ordenes).length,
      ordenes: ordenes.map(({ id, pagado }) => ({ id, importe: pagado.toFixed(2) })),
    })),
    cfdi: {
      tipo: 'factura',
      serieId: emision.serieId,
      receptor: emision.receptor,
      usoCfdi: USO_GENERICO,
      formaPago: formaOfLargest(ventas),
      fecha: emision.fecha,
      lugarExpedicion: emision.cp,
      conceptos,
      subTotal: written.subTotal,
      iva: written.totalTraslados,
      total: written.total,
      informacionGlobal: informacionGlobalOf(mes),
    },
  };
}

function splitOf(lineas: { importe: Money; cantidad: number; tasaIva: string }[]) {
  try {
    return splitResidual(lineas);
  } catch (error) {
    if (!(error instanceof CfdiAmountsError)) throw error;
    throw new NotAllowed(TITULO, `Los importes de la factura global no pueden cuadrar al centavo: ${error.message}.`, {
      cause: error,
    });
  }
}

/** The payment form of the most expensive sale, as the SAT asks; of equal ones, the first. */
function formaOfLargest(ventas: readonly Venta[]): string {
  const mayor = ventas.reduce((largest, venta) => (venta.total.compare(largest.total) > 0 ? venta : largest));
  const known = FORMAS_PAGO.some(({ id }) => id === mayor.formaPago && id !== '99');
  return known ? mayor.formaPago! : FORMA_INTERMEDIARIO;
}

/** Accepts the stamps and claims their ordenes. Throws NotAllowed when a number is under way already. */
async function acceptStamps(
  trx: Trx,
  requests: GlobalRequest[],
  { batchId, usuarioId }: { batchId: string; usuarioId: string | null },
): Promise<void> {
  const accepted = await acceptEffects(trx, stampGlobal, requests, { batchId, usuarioId });
  if (accepted.length !== requests.length)
    throw new NotAllowed(TITULO, 'Otra persona ya está generando la factura global de este mes.');
  await trx
    .insertInto('globalNumero')
    .values(accepted.map(({ id, request: { mes, numero } }) => ({ effectId: id, mes, numero })))
    .execute();
  const claims = accepted.flatMap(({ id: effectId, request }) =>
    request.ventas.flatMap(({ ordenes }) => ordenes.map(({ id }) => [id, effectId] as const)),
  );
  const [ordenIds, effectIds] = [claims.map(([ordenId]) => ordenId), claims.map(([, effectId]) => effectId)];
  await sql`insert into fiscal_claim (orden_id, kind, effect_id)
    select t.orden_id, 'global', t.effect_id
    from unnest(${ordenIds}::uuid[], ${effectIds}::uuid[]) t (orden_id, effect_id)`.execute(trx);
}
