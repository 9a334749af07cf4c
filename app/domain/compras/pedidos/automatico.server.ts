import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { DIAS_ACTIVAS } from '~/domain/ventas/ordenes/activas';
import type { Db, Trx } from '~db/client.server';
import type { Market } from '~db/columns';
import { endUselessDrafts } from './internal/borradores.server';
import { lineasOfVenta } from './internal/lineas.server';
import { notePedido } from './internal/movePedido.server';
import { createPedido, sendPedido, readProveedorParaPedir } from './internal/createPedido.server';
import { requireGuardias, setPrecios, rereadPedido } from './placePedido.server';

/**
 * A look at a pedido before it is bought without a person. It reads stale products again, outside any transaction, and returns what requires inside one that nothing speaks against the
 * purchase; that throws `NotAllowed` with the objection.
 */
export type Guardia = (db: Db, pedidoId: string) => Promise<(trx: Trx) => Promise<unknown>>;

/** Nobody can give a reason here, so everything that needs a reason stops the purchase. The pedido leaves at today's price. */
const lookAlone: Guardia = async (db, pedidoId) => {
  const fallas = await rereadPedido(db, pedidoId);
  return async (trx) => {
    await requireGuardias(trx, pedidoId, { rol: null, motivo: null, fallas }, 'Aviso');
    await setPrecios(trx, pedidoId);
  };
};

/** Pedidos of one run. The rest wait for the next run. */
const POR_VEZ = 50;
/** Time for which a held-back draft is tried again. Afterwards it waits for people alone. */
const INSISTE = sql`interval '24 hours'`;

type Candidata = { market: Market; numOrden: string; proveedor: string };

/**
 * Sales in preparation that may be ordered without a person: every article of the supplier is marked for it, the supplier was never asked, no invoice
 * of theirs is written down, and nothing leaves from our own stock.
 */
async function candidatas(db: Db): Promise<Candidata[]> {
  const { rows } = await sql<Candidata>`
    select distinct o.market, o.num_orden, p.value as proveedor
    from orden o
    join articulo a on a.orden_id = o.id
    join proveedor p on p.value = lower(a.proveedor) and p.crear_pedido
    join envio e on e.id = o.envio_id
    where o.estatus = 'enPreparacion' and o.situacion = 'pagada' and o.clase = 'normal'
      and o.fecha_creacion > now() - make_interval(days => ${DIAS_ACTIVAS})
      and o.facturas_proveedor = 0 and e.tipo_logistico is distinct from 'fulfillment'
      and not exists (
        select from pedido q where q.market = o.market and q.num_orden = o.num_orden and q.proveedor = p.value)
      and not exists (
        select from pedido_linea l join pedido q on q.id = l.pedido_id
        where l.orden_id = o.id and q.proveedor = p.value)
      and not exists (select from stock_interno s where s.venta_id = o.id)
      and (
        exists (
          select from producto pr
          where pr.proveedor = p.value and pr.id_proveedor = split_part(a.sku, '|', 2) and pr.auto_orden)
        or exists (
          select from producto pr
          where pr.proveedor = p.value and lower(pr.modelo) = lower(a.modelo) and pr.auto_orden))
    limit ${POR_VEZ}`.execute(db);
  return rows;
}

/**
 * Ends the drafts that are useless by now, makes the pedidos that need no person, and sends those that may leave alone: where an order waits for a second
 * step, or where the supplier is bought from without asking. An objection of the guards is written on the pedido, which then waits for people.
 */
export async function requestAutomaticos(db: Db, guardia: Guardia = lookAlone): Promise<void> {
  await endUselessDrafts(db);
  for (const candidata of await candidatas(db)) await propose(db, candidata);
  const borradores = await db
    .selectFrom('pedido')
    .select(['id', 'proveedor'])
    .where('estado', '=', 'borrador')
    .where('automatico', '=', true)
    .where('creadoEn', '>', sql<Date>`now() - ${INSISTE}`)
    .orderBy('id')
    .limit(POR_VEZ)
    .execute();
  for (const { id, proveedor } of borradores) {
    const suyo = await readProveedorParaPedir(db, proveedor);
    if (suyo?.crearPedido && (suyo.enDosPasos || suyo.comprarSinConfirmar)) await letGo(db, id, guardia);
  }
}

async function propose(db: Db, { market, numOrden, proveedor }: Candidata): Promise<void> {
  const lineas = (await lineasOfVenta(db, market, numOrden)).filter(
    (linea) => linea.proveedor === proveedor && linea.cantidad > 0,
  );
  if (lineas.length === 0 || !lineas.every(({ producto }) => producto?.autoOrden)) return;
  try {
    await db
      .transaction()
      .execute((trx) =>
        createPedido(trx, { market, numOrden, proveedor, usuarioId: null, automatico: true, borrador: true }),
      );
  } catch (error) {
    // No warehouse or no price. People find the sale among those in preparation.
    if (!(error instanceof NotAllowed)) throw error;
  }
}

async function letGo(db: Db, id: string, guardia: Guardia): Promise<void> {
  const requireClear = await guardia(db, id);
  try {
    await db.transaction().execute(async (trx) => {
      const pedido = await trx
        .selectFrom('pedido')
        .select('estado')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      // Another person or run was faster.
      if (pedido?.estado !== 'borrador') return;
      await requireClear(trx);
      await sendPedido(trx, id, null);
    });
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    await db.transaction().execute(async (trx) => {
      const pedido = await trx
        .selectFrom('pedido')
        .select(['estado', 'detalle'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (pedido?.estado === 'borrador' && pedido.detalle !== error.message)
        await notePedido(trx, id, { detalle: error.message });
    });
  }
}
