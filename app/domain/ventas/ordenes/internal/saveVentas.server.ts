import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { Money } from '~/core/money';
import type { Market } from '~/core/market';
import type { EnvioLeido, VentaLeida } from '~/domain/mercados/venta';
import type { Trx } from '~db/client.server';
import type { EstatusOrden } from '~db/columns';
import type { EnvioEstado } from '../estatus';
import { changed } from './changed.server';
import { followEnvios, saveEnvios, type SavedEnvio } from './saveEnvios.server';
import { settleEnvios } from './settleEnvios.server';
import { recordStates, type StateChange } from './states.server';
import { nextReview, ordenOf, type OrdenLeida } from './ordenLeida';
import { lockNames } from '~db/locks.server';

export type Saved = {
  /** Numbers of the sales that were new, or whose row changed. */
  written: string[];
  /** Numbers of the readings that were older than what we hold; they changed nothing. */
  stale: string[];
};

type Stored = {
  id: string;
  marketId: string;
  actualizadaEn: Date;
  estatus: EstatusOrden;
  clase: string;
  conservada: boolean;
  revisiones: number;
  revisarEn: Date | null;
  retencion: Money | null;
  cupon: Money | null;
  comisionLeida: Money | null;
  cargosEn: Date | null;
  liberacionEn: Date | null;
  cambioEn: Date | null;
  envioCarrito: Money;
  envioId: string | null;
  datos: unknown;
};

/**
 * Writes sales as they were read. Whatever the order they arrive in, and however often, the rows end the same: a reading older than
 * what is stored is dropped, the shipment has a date of its own, and what a reading could not tell leaves the known value alone.
 * Everything about one order or one shipment is written by one transaction at a time. `cambios`: the versions of the rows that announced them.
 */
export async function saveVentas(
  trx: Trx,
  market: Market,
  ventas: VentaLeida[],
  now = new Date(),
  cambios: ReadonlyMap<string, Date> = new Map(),
): Promise<Saved> {
  const newest = newestOf(ventas);
  // A reading of an order that is not the newest may still hold the only address of its shipment.
  const shipments = [...new Set(ventas.flatMap(({ envios }) => envios))];
  const shipmentIds = [
    ...new Set([...shipments.map(({ marketId }) => marketId), ...newest.flatMap(({ envioId }) => envioId ?? [])]),
  ];
  await lockNames(trx, 'ordenes', [
    ...newest.map(({ marketId }) => `orden:${market}:${marketId}`),
    ...shipmentIds.map((id) => `envio:${market}:${id}`),
  ]);

  const envios = await saveEnvios(trx, market, shipmentIds, shipments, newest);
  const stored = await readStored(trx, market, newest);
  const rows: Row[] = [];
  const reviews: Review[] = [];
  const changes: StateChange[] = [];
  const stale: string[] = [];

  for (const read of newest) {
    const before = stored.get(read.marketId);
    const cambioEn = cambios.get(read.marketId) ?? before?.cambioEn ?? null;
    if (before && read.version < before.actualizadaEn) {
      stale.push(read.marketId);
      const { marketId, revisarEn, revisiones, cargosEn } = before;
      reviews.push({ marketId, revisarEn, revisiones, cargosEn, cambioEn, same: isSame(before.cambioEn, cambioEn) });
      continue;
    }
    const venta = before && read.completar ? read.completar(before.datos) : read;
    const envio =
      (venta.envioId && envios.byMarketId.get(venta.envioId)) ||
      (before?.envioId && envios.byId.get(before.envioId)) ||
      null;
    const orden = ordenOf(venta, {
      envio,
      previous: before?.estatus ?? null,
      conservada: before?.conservada ?? false,
      prefijo: env().SKU_PREFIJO,
    });
    const { cargos } = venta;
    const comisionLeida = cargos?.retencion ? cargos.comision : (before?.comisionLeida ?? null);
    const review = reviewOf(venta, envio, before, now, cambioEn);
    const envioCarrito = before?.envioCarrito ?? Money.zero;
    rows.push({
      orden: {
        ...orden,
        comision: comisionLeida ?? orden.comision,
        // The part that the shipment of a cart tells is settled once all is written.
        pagadoAbs: orden.pagadoAbs.plus(envioCarrito),
      },
      documento: venta.documento,
      envioId: envio?.id ?? before?.envioId ?? null,
      envioCarrito,
      retencion: cargos?.retencion ?? before?.retencion ?? null,
      cupon: venta.cupon === undefined ? (before?.cupon ?? null) : venta.cupon,
      comisionLeida,
      liberacionEn: cargos?.liberacion ?? before?.liberacionEn ?? null,
      review,
    });
    if (before) {
      changes.push({
        id: before.id,
        numOrden: orden.numOrden,
        before: { estatus: before.estatus, clase: before.clase },
        after: { estatus: orden.estatus, clase: orden.clase },
      });
    }
    if (before) reviews.push(review);
  }

  const { written, idOf } = await writeOrdenes(trx, market, rows, stored, now);
  await writeArticulos(
    trx,
    rows.filter(({ orden }) => written.has(orden.marketId)),
    idOf,
    stored,
  );
  await settleEnvios(trx, [...new Set(rows.flatMap(({ envioId }) => envioId ?? []))]);
  await writeReviews(trx, market, reviews, now);
  await writeCompradores(trx, market, newest);
  await recordStates(trx, changes);
  await followEnvios(
    trx,
    envios.moved,
    rows.map(({ orden }) => orden.marketId),
  );
  return { written: [...written], stale };
}

/**
 * Writes a shipment that was read by itself, and moves the ordenes that travel in it. Returns how many ordenes those are; 0 for a shipment that we do
 * not know.
 */
export async function saveShipment(trx: Trx, market: Market, envio: EnvioLeido): Promise<number> {
  await lockNames(trx, 'ordenes', [`envio:${market}:${envio.marketId}`]);
  const known = await trx
    .selectFrom('orden')
    .innerJoin('envio', 'envio.id', 'orden.envioId')
    .select(sql<number>`count(*)`.as('n'))
    .where('envio.market', '=', market)
    .where('envio.marketId', '=', envio.marketId)
    .executeTakeFirstOrThrow();
  if (known.n === 0) return 0;
  const envios = await saveEnvios(trx, market, [envio.marketId], [envio], []);
  await settleEnvios(trx, [...envios.byId.keys()]);
  await followEnvios(trx, envios.moved, []);
  return known.n;
}

/** Returns one reading for each order: the newest, and of two as new the later one. */
function newestOf(ventas: VentaLeida[]): VentaLeida[] {
  const newest = new Map<string, VentaLeida>();
  for (const venta of ventas) {
    const other = newest.get(venta.marketId);
    if (!other || venta.version >= other.version) newest.set(venta.marketId, venta);
  }
  return [...newest.values()];
}

async function readStored(trx: Trx, market: Market, ventas: VentaLeida[]): Promise<Map<string, Stored>> {
  if (ventas.length === 0) return new Map();
  const partial = ventas.filter(({ completar }) => completar).map(({ marketId }) => marketId);
  const rows = await trx
    .selectFrom('orden')
    .select([
      'id',
      'marketId',
      'actualizadaEn',
      'estatus',
      'clase',
      'conservada',
      'revisiones',
      'revisarEn',
      'retencion',
      'cupon',
      'comisionLeida',
      'cargosEn',
      'liberacionEn',
      'cambioEn',
      'envioCarrito',
      'envioId',
    ])
    // The document is long, and only a partial answer needs it.
    .select(sql<unknown>`case when market_id = any(${partial}) then datos end`.as('datos'))
    .where('market', '=', market)
    .where(
      'marketId',
      'in',
      ventas.map(({ marketId }) => marketId),
    )
    .orderBy('marketId')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.marketId, row]));
}

type Row = {
  orden: OrdenLeida;
  documento: unknown;
  envioId: string | null;
  envioCarrito: Money;
  retencion: Money | null;
  cupon: Money | null;
  comisionLeida: Money | null;
  liberacionEn: Date | null;
  review: Review;
};

async function writeOrdenes(
  trx: Trx,
  market: Market,
  rows: Row[],
  stored: ReadonlyMap<string, Stored>,
  now: Date,
): Promise<{ written: Set<string>; idOf: Map<string, string> }> {
  const idOf = new Map([...stored.values()].map(({ marketId, id }) => [marketId, id]));
  if (rows.length === 0) return { written: new Set(), idOf };
  const columns = [
    'num_orden',
    'pack_id',
    'fecha_creacion',
    'fecha_cierre',
    'actualizada_en',
    'estatus',
    'situacion',
    'market_status',
    'tags',
    'clase',
    'meli_resale',
    'titulo',
    'total',
    'pagado_abs',
    'en_pie',
    'comision',
    'comision_leida',
    'retencion',
    'cupon',
    'liberacion_en',
    'envio_adicional',
    'envio_en_pagos',
    'envio_id',
    'envio_propio',
    'acordada',
    'medio_pago',
    'forma_pago',
    'comprador_id',
    'comprador',
    'billing_info_id',
    'datos',
  ];
  const written = await trx
    .insertInto('orden')
    .values(
      rows.map(({ orden: { articulos: _, ...orden }, documento, review, ...row }) => ({
        market,
        ...orden,
        ...row,
        datos: JSON.stringify(documento),
        // Of a new one; of the others `writeReviews` writes them.
        revisarEn:
          review.revisarEn &&
          sql<Date>`now() + ${review.revisarEn.getTime() - now.getTime()}::float8 * interval '1 ms'`,
        revisiones: review.revisiones,
        cargosEn: review.cargosEn,
        cambioEn: review.cambioEn,
      })),
    )
    .onConflict((on) =>
      on
        .columns(['market', 'marketId'])
        .doUpdateSet((is) => ({
          numOrden: is.ref('excluded.numOrden'),
          packId: is.ref('excluded.packId'),
          fechaCreacion: is.ref('excluded.fechaCreacion'),
          fechaCierre: is.ref('excluded.fechaCierre'),
          actualizadaEn: is.ref('excluded.actualizadaEn'),
          estatus: is.ref('excluded.estatus'),
          situacion: is.ref('excluded.situacion'),
          marketStatus: is.ref('excluded.marketStatus'),
          tags: is.ref('excluded.tags'),
          clase: is.ref('excluded.clase'),
          meliResale: is.ref('excluded.meliResale'),
          titulo: is.ref('excluded.titulo'),
          total: is.ref('excluded.total'),
          pagadoAbs: is.ref('excluded.pagadoAbs'),
          enPie: is.ref('excluded.enPie'),
          comision: is.ref('excluded.comision'),
          comisionLeida: is.ref('excluded.comisionLeida'),
          retencion: is.ref('excluded.retencion'),
          cupon: is.ref('excluded.cupon'),
          liberacionEn: is.ref('excluded.liberacionEn'),
          envioAdicional: is.ref('excluded.envioAdicional'),
          envioEnPagos: is.ref('excluded.envioEnPagos'),
          envioId: is.ref('excluded.envioId'),
          envioPropio: is.ref('excluded.envioPropio'),
          acordada: is.ref('excluded.acordada'),
          medioPago: is.ref('excluded.medioPago'),
          formaPago: is.ref('excluded.formaPago'),
          compradorId: is.ref('excluded.compradorId'),
          comprador: is.ref('excluded.comprador'),
          billingInfoId: is.ref('excluded.billingInfoId'),
          datos: is.ref('excluded.datos'),
          version: sql`orden.version + 1`,
        }))
        .where(changed('orden', columns)),
    )
    .returning(['id', 'marketId'])
    .execute();
  for (const { id, marketId } of written) idOf.set(marketId, id);
  return { written: new Set(written.map(({ marketId }) => marketId)), idOf };
}

async function writeArticulos(
  trx: Trx,
  rows: Row[],
  idOf: ReadonlyMap<string, string>,
  stored: ReadonlyMap<string, Stored>,
) {
  const values = rows.flatMap(({ orden }) =>
    orden.articulos.map((articulo) => ({ ordenId: idOf.get(orden.marketId)!, ...articulo })),
  );
  if (values.length === 0) return;
  await trx
    .insertInto('articulo')
    .values(values)
    .onConflict((on) =>
      on
        .columns(['ordenId', 'posicion'])
        .doUpdateSet((is) => ({
          itemId: is.ref('excluded.itemId'),
          nombre: is.ref('excluded.nombre'),
          sku: is.ref('excluded.sku'),
          cantidad: is.ref('excluded.cantidad'),
          importe: is.ref('excluded.importe'),
          precioUnitario: is.ref('excluded.precioUnitario'),
          comision: is.ref('excluded.comision'),
        }))
        .where(changed('articulo', ['item_id', 'nombre', 'sku', 'cantidad', 'importe', 'precio_unitario', 'comision'])),
    )
    .execute();
  const known = rows.filter(({ orden }) => stored.has(orden.marketId));
  if (known.length === 0) return;
  await sql`delete from articulo a using unnest(${known.map(({ orden }) => idOf.get(orden.marketId)!)}::uuid[], ${known.map(({ orden }) => orden.articulos.length)}::int[]) as kept(orden_id, n)
    where a.orden_id = kept.orden_id and a.posicion >= kept.n`.execute(trx);
}

type Review = {
  marketId: string;
  revisarEn: Date | null;
  revisiones: number;
  cargosEn: Date | null;
  cambioEn: Date | null;
  same: boolean;
};

const isSame = (a: Date | null | undefined, b: Date | null) => a?.getTime() === b?.getTime();

function reviewOf(
  venta: VentaLeida,
  envio: SavedEnvio | null,
  before: Stored | undefined,
  now: Date,
  cambioEn: Date | null,
): Review {
  const again = before?.actualizadaEn.getTime() === venta.version.getTime();
  const estado: EnvioEstado | null = envio;
  const looked = again ? before.revisiones : 0;
  const revisarEn = nextReview(venta, estado, looked, now);
  const revisiones = revisarEn ? looked + 1 : looked;
  const cargosEn = venta.cargos?.leidosEn ?? before?.cargosEn ?? null;
  return {
    marketId: venta.marketId,
    revisarEn,
    revisiones,
    cargosEn,
    cambioEn,
    same:
      isSame(before?.revisarEn, revisarEn) &&
      before?.revisiones === revisiones &&
      isSame(before.cargosEn, cargosEn) &&
      isSame(before.cambioEn, cambioEn),
  };
}

/** Apart from the rest: looking again is no change of the order, and moves no version. */
async function writeReviews(trx: Trx, market: Market, reviews: Review[], now: Date) {
  const moved = reviews.filter(({ same }) => !same);
  if (moved.length === 0) return;
  // The wait is the rule's, its end the database's.
  await sql`update orden set revisar_en = now() + (r.revisar_en - ${now}::timestamptz), revisiones = r.revisiones, cargos_en = r.cargos_en, cambio_en = r.cambio_en
    from unnest(${moved.map(({ marketId }) => marketId)}::text[], ${moved.map(({ revisarEn }) => revisarEn)}::timestamptz[], ${moved.map(({ revisiones }) => revisiones)}::int[],
        ${moved.map(({ cargosEn }) => cargosEn)}::timestamptz[], ${moved.map(({ cambioEn }) => cambioEn)}::timestamptz[])
      as r(market_id, revisar_en, revisiones, cargos_en, cambio_en)
    where orden.market = ${market} and orden.market_id = r.market_id`.execute(trx);
}

async function writeCompradores(trx: Trx, market: Market, ventas: VentaLeida[]) {
  const byId = new Map(
    ventas.flatMap(({ comprador: { fiscalId, fiscal } }) => (fiscalId && fiscal ? [[fiscalId, fiscal] as const] : [])),
  );
  if (byId.size === 0) return;
  await trx
    .insertInto('compradorFiscal')
    .values([...byId].map(([billingInfoId, fiscal]) => ({ market, billingInfoId, ...fiscal })))
    .onConflict((on) =>
      on.columns(['market', 'billingInfoId']).doUpdateSet((is) => ({
        rfc: is.ref('excluded.rfc'),
        razonSocial: is.ref('excluded.razonSocial'),
        regimen: is.ref('excluded.regimen'),
        usoCfdi: is.ref('excluded.usoCfdi'),
        cp: is.ref('excluded.cp'),
        leidoEn: sql`now()`,
      })),
    )
    .execute();
}
