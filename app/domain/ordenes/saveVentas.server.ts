import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { Order, versionOf } from '~/integrations/mercadolibre/wire';
import type { Trx } from '~db/client.server';
import { compradorFiscalOf, type EnvioMl, envioOf } from './envioMl';
import type { EnvioEstado } from './estatus';
import { changed } from './internal/changed.server';
import { lockKeys } from './internal/locks.server';
import { recordStates, type StateChange } from './internal/states.server';
import { followEnvios, saveEnvios, type SavedEnvio } from './internal/saveEnvios.server';
import { isCompra, ordenOf, type OrdenMl, nextReview } from './ordenMl';
import type { ShipmentRead, VentaRemota } from './readVentas.server';

export type Saved = {
  /** Orders that were new, or whose row changed. */
  written: string[];
  /** Readings older than what we hold; they change nothing. */
  stale: string[];
  /** Orders somebody else sold: no sale of ours, and not kept. */
  compras: string[];
};

type Stored = {
  id: string;
  marketId: string;
  actualizadaEn: Date;
  estatus: string;
  clase: string;
  revisiones: number;
  revisarEn: Date | null;
  retencion: OrdenMl['total'] | null;
  envioId: string | null;
  datos: unknown;
};

/**
 * Writes sales as they were read. Whatever the order they arrive in, and however often, the rows end the same: a reading older than
 * what is stored is dropped, the shipment has a date of its own, and what a reading could not tell leaves the known value alone.
 * Everything about one order or one shipment is written by one transaction at a time.
 */
export async function saveVentas(trx: Trx, ventas: VentaRemota[], sellerId: string, now = new Date()): Promise<Saved> {
  const compras = ventas.filter(({ order }) => isCompra(order.doc, sellerId)).map(({ order }) => order.doc.id);
  if (compras.length > 0) {
    log.warn('orden que no es venta nuestra', { ordenes: compras.join(' ') });
    const rest = ventas.filter(({ order }) => !isCompra(order.doc, sellerId));
    return { ...(await saveVentas(trx, rest, sellerId, now)), compras };
  }
  const newest = newestOf(ventas);
  // A reading of an order that is not the newest may still hold the only address of its shipment.
  const shipments = [...new Set(ventas.flatMap(({ shipment }) => shipment ?? []))];
  const shipmentIds = [
    ...new Set([
      ...shipments.map(({ doc }) => doc.id),
      ...newest.flatMap(({ order }) => (order.doc.shipping?.id ? [order.doc.shipping.id] : [])),
    ]),
  ];
  await lockKeys(trx, [
    ...newest.map(({ order }) => `orden:${order.doc.id}`),
    ...shipmentIds.map((id) => `envio:${id}`),
  ]);

  const envios = await saveEnvios(
    trx,
    shipmentIds,
    enviosOf(shipments, sellerId),
    newest.map(({ order }) => order.doc),
  );
  const stored = await readStored(trx, newest);
  const rows: Row[] = [];
  const reviews: Review[] = [];
  const changes: StateChange[] = [];
  const stale: string[] = [];

  for (const venta of newest) {
    const before = stored.get(venta.order.doc.id);
    if (before && versionOf(venta.order.doc) < before.actualizadaEn) {
      stale.push(venta.order.doc.id);
      continue;
    }
    const { doc, raw } = before && venta.order.missing.length > 0 ? completed(venta, before.datos) : venta.order;
    const shipmentId = venta.shipment?.doc.id ?? doc.shipping?.id;
    const envio =
      (shipmentId && envios.byMarketId.get(shipmentId)) || (before?.envioId && envios.byId.get(before.envioId)) || null;
    const orden = ordenOf(doc, { envio, previous: before?.estatus ?? null, prefijo: env().SKU_PREFIJO, now });
    rows.push({
      orden,
      raw,
      envioId: envio?.id ?? before?.envioId ?? null,
      retencion: venta.retencion === undefined ? (before?.retencion ?? null) : venta.retencion,
    });
    if (before) {
      changes.push({
        id: before.id,
        numOrden: orden.numOrden,
        before: { estatus: before.estatus, clase: before.clase },
        after: { estatus: orden.estatus, clase: orden.clase },
      });
    }
    reviews.push(reviewOf(venta, orden, doc, envio, before, now));
  }

  const { written, idOf } = await writeOrdenes(trx, rows, stored);
  await writeArticulos(
    trx,
    rows.filter(({ orden }) => written.has(orden.marketId)),
    idOf,
  );
  await writeReviews(trx, reviews, now);
  await writeCompradores(trx, newest);
  await recordStates(trx, changes);
  await followEnvios(
    trx,
    envios.moved,
    rows.map(({ orden }) => orden.marketId),
  );
  return { written: [...written], stale, compras };
}

/** Writes a shipment read on its own, and moves the orders that travel in it. Returns how many orders it concerns; 0: nobody we know. */
export async function saveShipment(trx: Trx, shipment: ShipmentRead, sellerId: string): Promise<number> {
  await lockKeys(trx, [`envio:${shipment.doc.id}`]);
  const known = await trx
    .selectFrom('orden')
    .innerJoin('envio', 'envio.id', 'orden.envioId')
    .select(sql<number>`count(*)`.as('n'))
    .where('envio.market', '=', 'ml')
    .where('envio.marketId', '=', shipment.doc.id)
    .executeTakeFirstOrThrow();
  if (known.n === 0) return 0;
  const envios = await saveEnvios(trx, [shipment.doc.id], enviosOf([shipment], sellerId), []);
  await followEnvios(trx, envios.moved, []);
  return known.n;
}

function enviosOf(shipments: readonly ShipmentRead[], sellerId: string): EnvioMl[] {
  return shipments.map(({ doc, raw, costs }) => envioOf(doc, raw, costs, sellerId));
}

/** One reading per order: the newest, and of two as new the later. */
function newestOf(ventas: VentaRemota[]): VentaRemota[] {
  const newest = new Map<string, VentaRemota>();
  for (const venta of ventas) {
    const other = newest.get(venta.order.doc.id);
    if (!other || versionOf(venta.order.doc) >= versionOf(other.order.doc)) newest.set(venta.order.doc.id, venta);
  }
  return [...newest.values()];
}

async function readStored(trx: Trx, ventas: VentaRemota[]): Promise<Map<string, Stored>> {
  if (ventas.length === 0) return new Map();
  const partial = ventas.filter(({ order }) => order.missing.length > 0).map(({ order }) => order.doc.id);
  const rows = await trx
    .selectFrom('orden')
    .select(['id', 'marketId', 'actualizadaEn', 'estatus', 'clase', 'revisiones', 'revisarEn', 'retencion', 'envioId'])
    // The document is long, and only a partial answer needs it.
    .select(sql<unknown>`case when market_id = any(${partial}) then datos end`.as('datos'))
    .where('market', '=', 'ml')
    .where(
      'marketId',
      'in',
      ventas.map(({ order }) => order.doc.id),
    )
    .orderBy('marketId')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.marketId, row]));
}

/** A partial answer with the blocks it could not tell taken from the document we hold. */
function completed({ order }: VentaRemota, datos: unknown): { doc: Order; raw: unknown } {
  const known = datos as Record<string, unknown>;
  const blocks = Object.fromEntries(
    order.missing.filter((block) => known[block] !== undefined).map((block) => [block, known[block]]),
  );
  const raw = { ...(order.raw as Record<string, unknown>), ...blocks };
  return { doc: Order.parse(raw), raw };
}

type Row = { orden: OrdenMl; raw: unknown; envioId: string | null; retencion: OrdenMl['total'] | null };

async function writeOrdenes(
  trx: Trx,
  rows: Row[],
  stored: ReadonlyMap<string, Stored>,
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
    'market_status',
    'tags',
    'clase',
    'meli_resale',
    'titulo',
    'total',
    'pagado_abs',
    'comision',
    'retencion',
    'envio_adicional',
    'envio_id',
    'envio_propio',
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
      rows.map(({ orden: { articulos: _, ...orden }, raw, envioId, retencion }) => ({
        market: 'ml' as const,
        ...orden,
        retencion,
        envioId,
        datos: JSON.stringify(raw),
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
          marketStatus: is.ref('excluded.marketStatus'),
          tags: is.ref('excluded.tags'),
          clase: is.ref('excluded.clase'),
          meliResale: is.ref('excluded.meliResale'),
          titulo: is.ref('excluded.titulo'),
          total: is.ref('excluded.total'),
          pagadoAbs: is.ref('excluded.pagadoAbs'),
          comision: is.ref('excluded.comision'),
          retencion: is.ref('excluded.retencion'),
          envioAdicional: is.ref('excluded.envioAdicional'),
          envioId: is.ref('excluded.envioId'),
          envioPropio: is.ref('excluded.envioPropio'),
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

async function writeArticulos(trx: Trx, rows: Row[], idOf: ReadonlyMap<string, string>) {
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
  await sql`delete from articulo a using unnest(${rows.map(({ orden }) => idOf.get(orden.marketId)!)}::uuid[], ${rows.map(({ orden }) => orden.articulos.length)}::int[]) as kept(orden_id, n)
    where a.orden_id = kept.orden_id and a.posicion >= kept.n`.execute(trx);
}

type Review = { marketId: string; revisarEn: Date | null; revisiones: number; same: boolean };

function reviewOf(
  venta: VentaRemota,
  orden: OrdenMl,
  doc: Order,
  envio: SavedEnvio | null,
  before: Stored | undefined,
  now: Date,
): Review {
  const again = before?.actualizadaEn.getTime() === orden.actualizadaEn.getTime();
  const estado: EnvioEstado | null = envio;
  const looked = again ? before.revisiones : 0;
  const revisarEn = nextReview(doc, estado, venta.pendiente, looked, now);
  const revisiones = revisarEn ? looked + 1 : looked;
  return {
    marketId: orden.marketId,
    revisarEn,
    revisiones,
    same: before?.revisarEn?.getTime() === revisarEn?.getTime() && before?.revisiones === revisiones,
  };
}

/** Apart from the rest: looking again is no change of the order, and moves no version. */
async function writeReviews(trx: Trx, reviews: Review[], now: Date) {
  const moved = reviews.filter(({ same }) => !same);
  if (moved.length === 0) return;
  // The wait is the rule's, its end the database's.
  await sql`update orden set revisar_en = now() + (r.revisar_en - ${now}::timestamptz), revisiones = r.revisiones
    from unnest(${moved.map(({ marketId }) => marketId)}::text[], ${moved.map(({ revisarEn }) => revisarEn)}::timestamptz[], ${moved.map(({ revisiones }) => revisiones)}::int[])
      as r(market_id, revisar_en, revisiones)
    where orden.market = 'ml' and orden.market_id = r.market_id`.execute(trx);
}

async function writeCompradores(trx: Trx, ventas: VentaRemota[]) {
  const byId = new Map(ventas.flatMap(({ billing }) => (billing ? [[billing.id, billing.info] as const] : [])));
  if (byId.size === 0) return;
  await trx
    .insertInto('compradorFiscal')
    .values([...byId].map(([billingInfoId, info]) => ({ market: 'ml', billingInfoId, ...compradorFiscalOf(info) })))
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
