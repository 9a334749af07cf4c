import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { HORA } from '~/platform/hoy/reloj';

/** Ages after which a held change is urgent: a buyer may pay the old price meanwhile, or buy a piece that is gone. */
const PLAZOS = { aviso: 2 * HORA, mal: 12 * HORA };

const MERCADO = sql.join(
  Object.entries(MERCADOS).map(([market, { label }]) => sql`when ${sql.lit(market)} then ${sql.lit(label)}`),
  sql` `,
);

/** Returns the listings of these things: that of a price, and those that the zeros of a supplier are about. */
async function publicacionesOf(db: Db, cosas: readonly string[]): Promise<string[]> {
  const partes = cosas.map((cosa) => cosa.split(':'));
  const precios = partes.flatMap(([que, id]) => (que === 'precio' && id ? [id] : []));
  const ceros = partes.flatMap(([que, proveedor = '', market = '']) =>
    que === 'ceros' ? [`${proveedor}:${market}`] : [],
  );
  const { rows } = await sql<{ id: string }>`
    select n.publicacion_id as id from publicacion_pendiente n
    where n.publicacion_id = any(${precios}::uuid[])
      or (n.stock_retenido and coalesce(n.proveedor, '') || ':' || n.market = any(${ceros}::text[]))
    order by n.desde, n.publicacion_id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The queue of changes that wait for a person: each price by itself, the zeros of a supplier together. */
export const cambiosRetenidos: Cola = {
  clave: 'cambiosRetenidos',
  titulo: 'Cambios de publicaciones por decidir',
  icono: 'etiquetas',
  pantallas: ['publicaciones'],
  ver: 'Ver los cambios que esperan',
  vistas: { publicaciones: '?vista=retenidas&cuales=retenidas' },
  lote: { lista: 'publicaciones', hacer: ['retenida.aplicar', 'retenida.descartar'], filasOf: publicacionesOf },
  plazos: PLAZOS,
  necesita: 'ventas',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`
        select 'precio:' || p.id || ':' || n.secuencia as id, p.titulo,
          'Precio de $' || coalesce(to_char(p.precio, 'FM999,999,990.00'), '—') || ' a $' || to_char(n.precio_retenido, 'FM999,999,990.00')
            || case when p.precio_escrito is null then '' else '. El de hoy lo escribió una persona' end as detalle,
          'publicaciones?cuales=retenidas&ver=' || p.id as a, n.desde, null::timestamptz as vence
        from publicacion_pendiente n join publicacion p on p.id = n.publicacion_id where n.precio_retenido is not null
        union all
        select 'ceros:' || coalesce(n.proveedor, '') || ':' || n.market || ':' || min(n.desde), coalesce(max(v.label), n.proveedor, 'Sin proveedor'),
          count(*) || case when count(*) = 1 then ' publicación irá a 0 en ' else ' publicaciones irán a 0 en ' end || case n.market ${MERCADO} end,
          'publicaciones?cuales=retenidas', min(n.desde), null
        from publicacion_pendiente n left join proveedor v on v.value = n.proveedor where n.stock_retenido group by n.proveedor, n.market`,
      PLAZOS,
      mirada,
    ),
};
