import { type RawBuilder, sql } from 'kysely';
import { NotAllowed, Stale } from '~/core/errors';
import type { Market } from '~/core/market';
import type { Money } from '~/core/money';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import type { DecidirRetenida } from './forms';
import { dichoOfRetenida, type Retenida } from './retenida';
import { AHORA } from './followProveedores.server';

type Fila = Retenida & {
  id: string;
  market: Market;
  marketId: string;
  proveedor: string | null;
  precio: Money | null;
  precioRetenido: Money | null;
  precioEscrito: Money | null;
  secuencia: string;
};

const retenidas = (donde: RawBuilder<unknown>) => sql<Fila>`
  select p.id, p.market, coalesce(p.market_id, p.clave) as market_id, p.titulo, p.precio, p.precio_escrito, p.stock, n.proveedor, n.precio_retenido, n.stock_retenido, n.secuencia::text as secuencia
  from publicacion_pendiente n join publicacion p on p.id = n.publicacion_id where (n.precio_retenido is not null or n.stock_retenido) and ${donde}`;

/** Returns the held change of a listing; null when the listing has none. */
export async function readRetenida(db: Db | Trx, id: string): Promise<Fila | null> {
  const { rows } = await retenidas(sql`p.id = ${id}`).execute(db);
  return rows[0] ?? null;
}

/** Lists the held changes of listings; a listing without one is left out. */
export async function listRetenidas(trx: Trx, ids: readonly string[]): Promise<Fila[]> {
  return (await retenidas(sql`p.id = any(${ids}::uuid[])`).execute(trx)).rows;
}

/** Locks a held change in the order of the follower: the listing, then its line. */
export async function lockRetenida(trx: Trx, id: string): Promise<Fila | null> {
  await trx.selectFrom('publicacion').select('id').where('id', '=', id).forUpdate().execute();
  await trx
    .selectFrom('publicacionPendiente')
    .select('publicacionId')
    .where('publicacionId', '=', id)
    .forUpdate()
    .execute();
  return readRetenida(trx, id);
}

const TITULO = 'Error al actualizar: ';

/**
 * Decides about a held change: the change is told, or the old value stays and nobody is asked about that price again. The other part of the line goes
 * on. The last zero that is let through at a supplier and marketplace lets the zeros of the next hour through. Throws Stale when the wish moved since it
 * was shown, and NotAllowed when the change no longer waits.
 */
export async function decideRetenida(
  trx: Trx,
  { id, huella, aplicar }: DecidirRetenida,
  usuarioId: string,
): Promise<void> {
  const retenida = await lockRetenida(trx, id);
  if (!retenida) throw new NotAllowed(TITULO, 'Este cambio ya no espera a una persona.');
  if (retenida.secuencia !== huella)
    throw new Stale(
      { cambios: [], marcas: { huella: retenida.secuencia } },
      { titulo: TITULO, texto: `Mientras tanto cambió lo que se pregunta. Ahora: ${dichoOfRetenida(retenida)}` },
    );
  await (aplicar ? aceptar(trx, retenida) : deny(trx, id));
  await record(trx, {
    usuarioId,
    entidad: 'publicacion',
    entidadId: id,
    accion: aplicar ? 'aplicar retenida' : 'descartar retenida',
    datos: {
      antes: { precio: retenida.precio?.toFixed(2) ?? null, stock: retenida.stock },
      despues: {
        precio: retenida.precioRetenido?.toFixed(2) ?? null,
        stock: retenida.stockRetenido ? 0 : null,
      },
    },
  });
}

async function aceptar(trx: Trx, { id, market, proveedor, stockRetenido }: Fila): Promise<void> {
  await sql`update publicacion_pendiente set precio = coalesce(precio_retenido, precio), precio_retenido = null, stock_retenido = false, no_antes = now(),
    secuencia = ${AHORA} where publicacion_id = ${id}`.execute(trx);
  await sql`update publicacion set precio_negado = null, precio_escrito = null where id = ${id}`.execute(trx);
  // A person allowed every zero of that supplier that waited: the zeros of the next hour are believed.
  if (stockRetenido)
    await sql`insert into seguimiento_regla (proveedor, market, ceros_hasta)
      select value, ${market}, now() + interval '1 hour' from proveedor where value = ${proveedor}
        and not exists (select from publicacion_pendiente n where n.proveedor = ${proveedor} and n.market = ${market} and n.stock_retenido)
      on conflict (proveedor, market) do update set ceros_hasta = excluded.ceros_hasta`.execute(trx);
}

/**
 * Takes the value at the marketplace as wanted. A line without another wish is deleted by the next turn; a line under way stays its effect's until
 * that ends.
 */
async function deny(trx: Trx, id: string): Promise<void> {
  await sql`update publicacion p set precio_negado = coalesce(n.precio_retenido, p.precio_negado) from publicacion_pendiente n
    where n.publicacion_id = p.id and p.id = ${id}`.execute(trx);
  await sql`update publicacion_pendiente n set precio = case when n.precio_retenido is null then n.precio else p.precio end,
      stock = case when n.stock_retenido then p.stock else n.stock end, precio_retenido = null, stock_retenido = false
    from publicacion p where p.id = n.publicacion_id and n.publicacion_id = ${id}`.execute(trx);
}
