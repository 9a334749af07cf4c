import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import { isOfVenta } from '~/domain/compras/stock/pieza';
import { type Disponible, disponiblesOf } from '~/domain/compras/stock/readPiezas.server';
import { lockPieza, movePieza } from '~/domain/compras/stock/piezas.server';
import type { Db, Trx } from '~db/client.server';
import type { Market } from '~db/columns';
import { type LineaDeVenta, lineasOfVenta } from './internal/lineas.server';
import { notePedido, movePedido } from './internal/movePedido.server';
import { MUERTOS } from './pedido';
import { porQueNo } from './internal/venta.server';

const TITULO = 'Error al surtir.';

/** A line of a sale that our own stock can serve, with the pieces that would leave for it. */
export type Surtido = { ordenId: string; nombre: string; piezas: Disponible[] };

/** Returns what our own stock could serve of a sale: the oldest pieces for each line that lacks some and that no supplier was asked for. */
export async function proposeSurtido(
  db: Db | Trx,
  { market, numOrden }: { market: Market; numOrden: string },
): Promise<Surtido[]> {
  const { lineas, estante } = await porSurtir(db, market, numOrden);
  const tomadas = new Set<string>();
  return lineas.flatMap(({ ordenId, nombre, cantidad, producto }) => {
    const hay = estante.get(producto?.id ?? '') ?? [];
    const piezas = hay.filter(({ id }) => !tomadas.has(id)).slice(0, cantidad);
    for (const { id } of piezas) tomadas.add(id);
    return piezas.length > 0 ? [{ ordenId, nombre, piezas }] : [];
  });
}

/** The lines that lack pieces, without those ordered at a supplier, and the available stock for them. */
async function porSurtir(db: Db | Trx, market: Market, numOrden: string) {
  const lineas = (await lineasOfVenta(db, market, numOrden)).filter(({ cantidad }) => cantidad > 0);
  const pedidas = await pedidasOf(
    db,
    lineas.map(({ ordenId }) => ordenId),
  );
  for (const linea of lineas) {
    const llave = llaveOf(linea.ordenId, linea.producto?.id ?? null);
    const ya = Math.min(linea.cantidad, pedidas.get(llave) ?? 0);
    linea.cantidad -= ya;
    pedidas.set(llave, (pedidas.get(llave) ?? 0) - ya);
  }
  const faltan = lineas.filter(({ cantidad }) => cantidad > 0);
  const estante = await disponiblesOf(db, [...new Set(faltan.flatMap(({ producto }) => producto?.id ?? []))]);
  return { lineas: faltan, estante };
}

const llaveOf = (ordenId: string, productoId: string | null) => `${ordenId} ${productoId ?? ''}`;

/** Pieces that suppliers may be sending, by orden and product. A draft asks nobody yet. */
async function pedidasOf(db: Db | Trx, ordenIds: readonly string[]): Promise<Map<string, number>> {
  if (ordenIds.length === 0) return new Map();
  const pedidas = await db
    .selectFrom('pedidoLinea')
    .innerJoin('pedido', 'pedido.id', 'pedidoLinea.pedidoId')
    .where('pedidoLinea.ordenId', 'in', [...ordenIds])
    .where('pedido.estado', 'not in', [...MUERTOS, 'borrador'])
    .select(['pedidoLinea.ordenId', 'pedidoLinea.productoId'])
    .select(({ fn }) => fn.sum<string>('pedidoLinea.cantidad').as('cantidad'))
    .groupBy(['pedidoLinea.ordenId', 'pedidoLinea.productoId'])
    .execute();
  return new Map(pedidas.map(({ ordenId, productoId, cantidad }) => [llaveOf(ordenId, productoId), Number(cantidad)]));
}

/**
 * 'Surtir con stock interno': takes pieces out of stock for a sale and lowers its drafts to the rest. Pieces that left for it before stay. Throws
 * `NotAllowed` when the sale ended, a piece is not available, or the sale does not lack it.
 */
export async function supplyVenta(
  trx: Trx,
  { orden, piezas }: { orden: string; piezas: readonly string[] },
  usuarioId: string,
): Promise<void> {
  const venta = await trx.selectFrom('orden').select(['market', 'numOrden']).where('id', '=', orden).executeTakeFirst();
  if (!venta) throw new NotAllowed(TITULO, 'La orden no existe.');
  // The sale's rows are locked like in `createPedido`, so that of two people the second sees what the first did.
  const ordenes = await trx
    .selectFrom('orden')
    .select(['id', 'clase', 'estatus', 'situacion'])
    .where('market', '=', venta.market)
    .where('numOrden', '=', venta.numOrden)
    .orderBy('id')
    .forUpdate()
    .execute();
  const no = porQueNo(ordenes);
  if (no) throw new NotAllowed(TITULO, no);
  const suyas = new Set(ordenes.map(({ id }) => id));
  const { lineas, estante } = await porSurtir(trx, venta.market, venta.numOrden);
  const folios: string[] = [];
  for (const id of [...new Set(piezas)].toSorted()) {
    const pieza = await lockPieza(trx, id);
    if (!pieza) throw new NotAllowed(TITULO, 'La pieza no existe.');
    if (pieza.ventaId !== null && suyas.has(pieza.ventaId) && isOfVenta(pieza.estado)) continue;
    if (pieza.estado !== 'disponible') throw new NotAllowed(TITULO, `${pieza.folio} ya no está disponible.`);
    const linea = lineas.find((una) => una.cantidad > 0 && estante.get(una.producto?.id ?? '')?.some(isThere(id)));
    if (!linea) throw new NotAllowed(TITULO, `A la venta ya no le falta ${pieza.folio}.`);
    linea.cantidad -= 1;
    folios.push(pieza.folio);
    await movePieza(trx, pieza, 'vendido', { usuarioId, ventaId: linea.ordenId });
  }
  if (folios.length === 0) return;
  await adjustBorradores(trx, venta, usuarioId);
  await record(trx, {
    usuarioId,
    entidad: 'orden',
    entidadId: venta.numOrden,
    accion: 'surtir con stock interno',
    datos: { folios: folios.join(', ') },
  });
}

const isThere =
  (id: string) =>
  (pieza: Disponible): boolean =>
    pieza.id === id;

/** Lowers the drafts to what the sale still lacks. A draft with nothing left ends. */
async function adjustBorradores(
  trx: Trx,
  { market, numOrden }: { market: Market; numOrden: string },
  usuarioId: string,
): Promise<void> {
  const faltan = await lineasOfVenta(trx, market, numOrden);
  const borradores = await trx
    .selectFrom('pedido')
    .select(['id', 'proveedor'])
    .where('market', '=', market)
    .where('numOrden', '=', numOrden)
    .where('estado', '=', 'borrador')
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id, proveedor } of borradores) {
    await adjustLineas(
      trx,
      id,
      faltan.filter((linea) => linea.proveedor === proveedor),
    );
    const queda = await trx.selectFrom('pedidoLinea').select('posicion').where('pedidoId', '=', id).limit(1).execute();
    if (queda.length > 0) await notePedido(trx, id, {});
    else
      await movePedido(trx, id, 'cancelado', {
        usuarioId,
        detalle: 'Todo sale del stock interno.',
        set: { descartadoEn: sql<Date>`now()` },
      });
  }
}

async function adjustLineas(trx: Trx, pedidoId: string, faltan: readonly LineaDeVenta[]): Promise<void> {
  const quedan = faltan.map((linea) => ({ ...linea }));
  const lineas = await trx
    .selectFrom('pedidoLinea')
    .select(['posicion', 'ordenId', 'productoId', 'modelo', 'cantidad'])
    .where('pedidoId', '=', pedidoId)
    .orderBy('posicion')
    .execute();
  for (const { posicion, ordenId, productoId, modelo, cantidad } of lineas) {
    const suya = quedan.find(
      (linea) =>
        linea.ordenId === ordenId && (productoId ? linea.producto?.id === productoId : linea.modelo === modelo),
    );
    if (!suya) continue;
    quedan.splice(quedan.indexOf(suya), 1);
    const at = { pedidoId, posicion };
    if (suya.cantidad === 0)
      await trx
        .deleteFrom('pedidoLinea')
        .where((is) => is.and(at))
        .execute();
    else if (suya.cantidad < cantidad)
      await trx
        .updateTable('pedidoLinea')
        .set({ cantidad: suya.cantidad })
        .where((is) => is.and(at))
        .execute();
  }
}
