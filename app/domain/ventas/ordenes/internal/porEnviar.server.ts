import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { DIAS_ACTIVAS, PLAZOS_ACTIVA } from '../activas';
import { ACORDADA } from '../estatus';

/**
 * Condition of a sale in preparation, word for word that of its index (`orden_activas`). A sale that the marketplace sends from its own shelves waits for
 * nobody here.
 */
const ACTIVA = sql`orden.estatus = 'enPreparacion' and orden.fecha_creacion > now() - make_interval(days => ${DIAS_ACTIVAS})
  and envio.tipo_logistico is distinct from 'fulfillment'`;
/** Condition of a sale that can leave: its label is there, or we send it ourselves. `isPorEnviar` says the same of one sale. */
const LISTA = sql`(envio.estatus = 'ready_to_ship' or envio.propio or (envio.id is null and not orden.acordada))`;

/** Selects the packages to send: the sales of one package are one thing. */
const paquetes = (cuales: ReturnType<typeof sql>) => sql`
  select min(orden.id::text) as id, (array_agg(orden.titulo order by orden.market_id))[1] as titulo,
    case when count(*) > 1 then (count(*) - 1)::text || ' más · ' else '' end || min(orden.num_orden) ||
      coalesce(' · ' || min(case when orden.acordada then ${ACORDADA} else proveedor.label end), '') as detalle,
    'ordenesActivas?ver=' || min(orden.id::text) as a, min(orden.fecha_creacion) as desde, null::timestamptz as vence,
    bool_or(exists (select from guia where guia.envio_id = orden.envio_id and guia.archivo_id is not null
      and guia.anulada_en is null)) as aqui
  from orden left join envio on envio.id = orden.envio_id left join proveedor on proveedor.value = orden.proveedor
  where ${ACTIVA} and ${cuales}
  group by orden.market, coalesce(orden.envio_id::text, orden.num_orden)`;

const ventas = (cuales: ReturnType<typeof sql>) => sql<boolean>`orden.id in (
  select orden.id from orden left join envio on envio.id = orden.envio_id where ${ACTIVA} and ${cuales})`;
const atorada = (ahora: ReturnType<typeof sql>) =>
  // Of a sale without a shipment the condition is unknown to the database, and such a sale cannot leave either.
  sql`${LISTA} is not true and orden.fecha_creacion <= ${ahora} - interval '1 day'`;

/** Returns all sales of the packages that these sales are the first of. */
async function ventasOf(db: Db, primeras: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select otra.id from orden una
    join orden otra on otra.market = una.market and otra.estatus = 'enPreparacion' and otra.clase = una.clase
      and (otra.num_orden = una.num_orden or otra.envio_id = una.envio_id)
    where una.id = any(${[...primeras]}::uuid[])
    group by otra.id order by min(una.fecha_creacion), otra.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Conditions over `orden` of the sales of each queue, for a list. */
export const POR_ENVIAR = ventas(LISTA);
export const ATORADA = ventas(atorada(sql`now()`));

/**
 * 'Por enviar hoy'. No answer of a marketplace that we read says by when a package has to leave, so its age says it, as in 'Ordenes activas'.
 */
export const porEnviar: Cola = {
  clave: 'porEnviar',
  titulo: 'Por enviar hoy',
  clase: 'comprador',
  icono: 'listoParaEnviar',
  pantallas: ['ordenesActivas'],
  ver: 'Ver las que se envían hoy',
  cuenta: ['paquete', 'paquetes'],
  vistas: { ordenesActivas: '?vista=porEnviar&cuales=porEnviar&rango=ultimos91' },
  lote: { lista: 'ordenesActivas', hacer: ['entregar'], filasOf: ventasOf },
  plazos: PLAZOS_ACTIVA,
  necesita: 'ventas',
  mira: (db, mirada) => countInSql(db, paquetes(LISTA), PLAZOS_ACTIVA, mirada),
};

const PLAZOS_ATORADA = { aviso: 0, mal: PLAZOS_ACTIVA.mal };

/** In preparation for more than a day, and nothing to send yet: something holds it. */
export const atoradas: Cola = {
  clave: 'atoradas',
  titulo: 'Más de 24 h en preparación',
  clase: 'comprador',
  icono: 'espera',
  pantallas: ['ordenesActivas'],
  ver: 'Ver las que se atoran',
  cuenta: ['paquete', 'paquetes'],
  vistas: { ordenesActivas: '?vista=atoradas&cuales=atoradas&rango=ultimos91' },
  lote: { lista: 'ordenesActivas', hacer: ['hacerPedidos', 'entregar'], filasOf: ventasOf },
  plazos: PLAZOS_ATORADA,
  necesita: 'ventas',
  mira: (db, mirada) => countInSql(db, paquetes(atorada(sql`${mirada.ahora}::timestamptz`)), PLAZOS_ATORADA, mirada),
};
