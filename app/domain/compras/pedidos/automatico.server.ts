import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { DIAS_ACTIVAS } from '~/domain/ventas/ordenes/activas';
import type { Db, Trx } from '~db/client.server';
import type { Market } from '~db/columns';
import { lineasOfVenta } from './internal/lineas.server';
import { notePedido } from './internal/movePedido.server';
import { createPedido, sendPedido, readProveedorParaPedir } from './internal/createPedido.server';
import { requireGuardias, setPrecios, rereadPedido } from './placePedido.server';
import type { Fallas } from './internal/mirada.server';

/** What looks at a pedido before anything is bought without a person. `exigir` throws `NotAllowed` with what speaks against it. */
export type Guardias<F> = {
  /** Reads again what is too old to buy on. Called while nothing is held. */
  releer(db: Db, pedidoId: string): Promise<F>;
  exigir(trx: Trx, pedidoId: string, leido: F): Promise<unknown>;
};

/** Of one run; the rest is there in the next. */
const POR_VEZ = 50;
/** A draft that the guards hold back is looked at again for so long; then it waits for people alone. */
const INSISTE = sql`interval '24 hours'`;

type Candidata = { market: Market; numOrden: string; proveedor: string };

/**
 * Sales in preparation that a supplier may be asked for without a person, and was never asked for: all that they have of it is marked for it, nobody has written down an
 * invoice of theirs, and nothing of them leaves from our own shelf.
 */
async function candidatas(db: Db): Promise<Candidata[]> {
  const { rows } = await sql<Candidata>`
    select distinct o.market, o.num_orden, p.value as proveedor
    from orden o join articulo a on a.orden_id = o.id join proveedor p on p.value = lower(a.proveedor) and p.crear_pedido
      join envio e on e.id = o.envio_id
    where o.estatus = 'enPreparacion' and o.fecha_creacion > now() - make_interval(days => ${DIAS_ACTIVAS}) and o.situacion = 'pagada' and o.clase = 'normal'
      and o.facturas_proveedor = 0 and e.tipo_logistico is distinct from 'fulfillment'
      and not exists (select from pedido q where q.market = o.market and q.num_orden = o.num_orden and q.proveedor = p.value)
      and not exists (select from pedido_linea l join pedido q on q.id = l.pedido_id where l.orden_id = o.id and q.proveedor = p.value)
      and not exists (select from stock_interno s where s.venta_id = o.id)
      and (exists (select from producto pr where pr.proveedor = p.value and pr.id_proveedor = split_part(a.sku, '|', 2) and pr.auto_orden)
        or exists (select from producto pr where pr.proveedor = p.value and lower(pr.modelo) = lower(a.modelo) and pr.auto_orden))
    limit ${POR_VEZ}`.execute(db);
  return rows;
}

/**
 * Makes the pedidos that need no person, and sends those that may leave alone: where an order waits there for its second step, and where its supplier is bought from without asking.
 * What the guards say against one stays written on it, and it waits for people.
 */
export async function requestAutomaticos<F>(db: Db, guardias: Guardias<F>): Promise<void> {
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
    if (suyo?.crearPedido && (suyo.enDosPasos || suyo.comprarSinConfirmar)) await letGo(db, id, guardias);
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
    // No warehouse, no price: people find it among what is in preparation, as before.
    if (!(error instanceof NotAllowed)) throw error;
  }
}

async function letGo<F>(db: Db, id: string, { releer, exigir }: Guardias<F>): Promise<void> {
  const leido = await releer(db, id);
  try {
    await db.transaction().execute(async (trx) => {
      const pedido = await trx
        .selectFrom('pedido')
        .select('estado')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      // Somebody was faster.
      if (pedido?.estado !== 'borrador') return;
      await exigir(trx, id, leido);
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

/** Nobody is there to give a reason: whatever the guards would ask one for stops it. It leaves at the price of now. */
export const GUARDIAS: Guardias<Fallas> = {
  releer: (db, pedidoId) => rereadPedido(db, pedidoId),
  async exigir(trx, pedidoId, fallas) {
    await requireGuardias(trx, pedidoId, { rol: null, motivo: null, fallas }, 'Aviso');
    await setPrecios(trx, pedidoId);
  },
};
