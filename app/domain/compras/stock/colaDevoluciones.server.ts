import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { DIA } from '~/platform/hoy/reloj';
import type { Db } from '~db/client.server';

/** A parcel takes days to come back; after two weeks somebody asks where it is. */
const PLAZOS = { aviso: 5 * DIA, mal: 14 * DIA };
/** What did not come back in so long does not come back. */
const VIGENCIA = sql`interval '120 days'`;

/**
 * 'Devoluciones por recibir': of sales that ended after their parcel left, and of claims whose return is on its way, what is not in our hands yet. A piece of our own shelf
 * that left for the sale comes back as itself. What left from the marketplace's shelves goes back there.
 */
export const devolucionesPorRecibir: Cola = {
  clave: 'devolucionesPorRecibir',
  titulo: 'Devoluciones por recibir',
  icono: 'cajaAbierta',
  pantallas: ['devoluciones'],
  ver: 'Recibir devoluciones',
  plazos: PLAZOS,
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`
        with vuelve as (
          select o.id from orden o join envio e on e.id = o.envio_id
          where o.fecha_creacion > now() - ${VIGENCIA} and (o.clase in ('cancelada', 'devuelta') or o.estatus = 'enDevolucion')
            and e.estatus in ('shipped', 'delivered', 'not_delivered', 'returned', 'enCamino', 'entregado', 'enSucursal', 'enDevolucion', 'devuelto')
          union select o.id from reclamo r join orden o on o.market = r.market and o.market_id = r.orden_market_id
          where r.actualizado_en > now() - ${VIGENCIA} and exists (
            select from jsonb_array_elements(r.devoluciones) d where d ->> 'estatus' in ('shipped', 'delivered')))
        select o.id::text as id, o.titulo, o.num_orden || ' · ' || coalesce('Reclamo ' || r.market_id, case when o.clase = 'cancelada' then 'Venta cancelada' else 'Venta devuelta' end) as detalle,
          coalesce('stockInterno?ver=' || v.id, 'devoluciones?orden=' || o.id || '&articulo=' || falta.posicion) as a,
          coalesce(r.actualizado_en, o.cambio_en, o.actualizada_en) as desde, null::timestamptz as vence
        from vuelve join orden o on o.id = vuelve.id left join envio e on e.id = o.envio_id
        left join lateral (
          select market_id, actualizado_en from reclamo where market = o.market and orden_market_id = o.market_id order by fecha desc limit 1) r on true
        left join lateral (select id from stock_interno where venta_id = o.id and estado = 'vendido' order by folio limit 1) v on true
        cross join lateral (
          select posicion from (select posicion, sum(cantidad) over (order by posicion) as hasta from articulo where orden_id = o.id) a
          where hasta > (select count(*) from stock_interno where orden_id = o.id) + (
            select count(distinct m.pieza_id) from stock_movimiento m join stock_interno s on s.id = m.pieza_id
            where m.venta_id = o.id and m.a = 'vendido' and s.venta_id is distinct from o.id)
          order by posicion limit 1) falta
        where e.tipo_logistico is distinct from 'fulfillment'`,
      PLAZOS,
      mirada,
    ),
};

/** Whether one of these sales waits to come back. */
export async function comesBack(db: Db, ordenes: readonly string[]): Promise<boolean> {
  const mirada = { ahora: new Date(), limite: 1, aparte: [], quien: { id: '', rol: '' } };
  const cuantas = await Promise.all(ordenes.map((solo) => devolucionesPorRecibir.mira(db, { ...mirada, solo })));
  return cuantas.some(({ total }) => total > 0);
}

/** As many as somebody reads before they scan the first. */
const PRIMERAS = 20;

/** The same for whoever receives them: the most urgent first, each with the number of its sale. */
export async function listPorRecibir(db: Db, quien: { id: string; rol: string }) {
  const { total, cosas } = await devolucionesPorRecibir.mira(db, {
    ahora: new Date(),
    limite: PRIMERAS,
    aparte: [],
    quien,
  });
  if (cosas.length === 0) return { total, ventas: [] };
  const numeros = new Map(
    (
      await db
        .selectFrom('orden')
        .select(['id', 'numOrden'])
        .where(
          'id',
          'in',
          cosas.map(({ id }) => id),
        )
        .execute()
    ).map(({ id, numOrden }) => [id, numOrden]),
  );
  return {
    total,
    ventas: cosas.map(({ id, titulo, detalle, a, desde }) => ({
      numero: numeros.get(id)!,
      titulo,
      porque: detalle.split(' · ').slice(1).join(' · '),
      a,
      desde,
    })),
  };
}
export type PorRecibir = Awaited<ReturnType<typeof listPorRecibir>>;
