import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Identificador } from '~/core/identificador';
import { readRango, type ListFilter, type Rango } from '~/core/list';
import { diasOfPeriodo } from '~/core/periodo';
import { MARKETS } from '~/core/market';
import { listFields, rangoFields } from '~/core/listFields';
import { dayRange } from '~/core/time';
import { contains, defineList, type ExcelColumn } from '~/platform/lists/list.server';
import { HUELLA_DE_ENVIO } from '~/domain/ventas/ordenes/datosEnvio.server';
import { estatusLabel } from '~/domain/ventas/ordenes/estatus';
import { ladosOfEnvios } from '~/domain/ventas/ordenes/lados.server';
import { ordenesEnteras } from '~/domain/ventas/ordenes/listOrdenes.server';
import type { Db, Trx } from '~db/client.server';
import type { Situacion } from '~db/columns';
import { estatusOfEnvio, numeroOfEnvio, rastreoUrl } from './envio';

const SORTS = ['fecha', 'actualizado', 'costo'] as const;
const filtro = z
  .object({ ...listFields(SORTS, '-fecha'), ...rangoFields })
  .transform((fields) => ({ ...fields, ...readRango(fields) }));

const sorts = {
  fecha: sql.ref('envio.fechaCreacion'),
  actualizado: sql.ref('envio.actualizadoEn'),
  costo: sql.ref('envio.costo'),
};

function inRange(db: Db | Trx, { q, desde, hasta }: ListFilter & Rango, enteros: RawBuilder<unknown> | null) {
  const { from, to } = dayRange(desde, hasta);
  const envios = db.selectFrom('envio');
  if (enteros) return envios.where(sql<boolean>`envio.id in (${enteros})`);
  const enRango = envios.where('envio.fechaCreacion', '>=', from).where('envio.fechaCreacion', '<', to);
  return q === '' ? enRango : enRango.where(contains('envio.busqueda', q));
}

/** Finds shipments by the number of a sale inside, by their own number, or by their tracking number. */
function enviosEnteros(entero: Identificador) {
  const { clase, texto } = entero;
  if (clase === 'rfc') return undefined;
  if (clase === 'numero')
    return sql`select envio_id as id from orden where envio_id is not null and id in (${ordenesEnteras(entero)})`;
  return sql`select id from envio where market in (${sql.join(MARKETS)}) and market_id = ${texto} union select id from envio where guia = ${texto}`;
}

/** The condition of the index of shipments that still travel, word for word (20261120_1800_envios). */
export const PENDIENTE = sql<boolean>`estatus not in ('delivered', 'entregado', 'cancelled', 'cancelado', 'returned', 'devuelto') and (estatus <> 'not_delivered' or coalesce(subestatus, '') <> 'returned')`;

const EN_CAMINO = sql<boolean>`envio.estatus in ('shipped', 'enviado')`;

type OrdenDeEnvio = { id: string; clase: string; estatus: string; situacion: Situacion };

const rows = (db: Db | Trx) =>
  db.selectFrom('envio').select([
    'envio.id',
    'envio.market',
    'envio.marketId',
    'envio.fechaCreacion',
    'envio.actualizadoEn',
    'envio.estatus',
    'envio.subestatus',
    'envio.propio',
    'envio.paqueteria',
    'envio.paqueteriaUrl',
    'envio.guia',
    'envio.costo',
    'envio.estado',
    sql<string | null>`(select min(o.num_orden) from orden o where o.envio_id = ${sql.ref('envio.id')})`.as('numOrden'),
    // Of a package that we send ourselves, the sale by which its form names it, the first that lives; and the mark of that form.
    sql<OrdenDeEnvio | null>`case when envio.propio then (
        select jsonb_build_object('id', o.id, 'clase', o.clase, 'estatus', o.estatus, 'situacion', o.situacion)
        from orden o where o.envio_id = envio.id order by o.clase in ('cancelada', 'devuelta'), o.market_id limit 1) end`.as(
      'orden',
    ),
    sql<string | null>`case when envio.propio then ${HUELLA_DE_ENVIO} end`.as('huella'),
    sql<string | null>`coalesce(${sql.ref('envio.municipio')}, ${sql.ref('envio.ciudad')})`.as('localidad'),
  ]);

export type EnvioRow = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

const COLUMNAS = {
  fecha: { header: 'Fecha de creación', tipo: 'fechaHora', valor: (envio) => envio.fechaCreacion },
  actualizado: { header: 'Última actualización', tipo: 'fechaHora', valor: (envio) => envio.actualizadoEn },
  estatus: { header: 'Estatus', tipo: 'texto', ancho: 18, valor: (envio) => estatusLabel(estatusOfEnvio(envio)) },
  id: { header: 'ID', tipo: 'texto', ancho: 20, valor: (envio) => numeroOfEnvio(envio.marketId) },
  paqueteria: { header: 'Paquetería', tipo: 'texto', ancho: 18, valor: (envio) => envio.paqueteria },
  guia: { header: 'Número de guía', tipo: 'texto', ancho: 24, valor: (envio) => envio.guia },
  rastreo: { header: 'Rastreo', tipo: 'texto', ancho: 40, valor: rastreoUrl },
  costo: { header: 'Costo del envío', tipo: 'pesos', ancho: 16, valor: (envio) => envio.costo },
  estado: { header: 'Estado', tipo: 'texto', ancho: 20, valor: (envio) => envio.estado },
  localidad: { header: 'Municipio o ciudad', tipo: 'texto', ancho: 24, valor: (envio) => envio.localidad },
} as const satisfies Record<string, ExcelColumn<EnvioRow>>;

const columnas: ExcelColumn<EnvioRow>[] = Object.values(COLUMNAS);
const sufijo = ({ desde, hasta }: Rango) => `${desde} a ${hasta}`;
const common = {
  filtro,
  id: 'envio.id',
  idsGrow: true,
  sorts,
  rows,
  enteros: enviosEnteros,
  alLado: ladosOfEnvios,
};

/** 'Envios': every shipment of a range. */
export const enviosList = defineList({
  ...common,
  lista: 'envios',
  titulo: 'Envios',
  todas: 'Todos',
  matches: inRange,
  cuales: {
    enCamino: { nombre: 'En camino', donde: EN_CAMINO },
    sinMovimiento: {
      nombre: 'Con guía sin movimiento',
      donde: sql<boolean>`envio.guia is not null and ${PENDIENTE} and not ${EN_CAMINO} and envio.actualizado_en < now() - interval '24 hours'`,
    },
  },
  totales: (envios) => envios.select(sql<string>`coalesce(sum(${sql.ref('envio.costo')}), 0)`.as('costo')),
  excel: { hoja: 'Envios', sufijo, columnas },
});

/** 'Envios pendientes': the shipments that have neither arrived nor ended. */
export const enviosPendientesList = defineList({
  ...common,
  lista: 'enviosPendientes',
  titulo: 'Envios pendientes',
  todas: 'Todos',
  // What still travels does not end with its month.
  filtro: z
    .object({ ...listFields(SORTS, '-fecha'), ...rangoFields })
    .transform((fields) => ({ ...fields, ...readRango(fields, diasOfPeriodo('ultimos91')) })),
  matches: (db, asked, enteros) => inRange(db, asked, enteros).where(PENDIENTE),
  totales: (envios) => envios.select(sql<string>`coalesce(sum(${sql.ref('envio.costo')}), 0)`.as('costo')),
  excel: { hoja: 'Envios pendientes', sufijo, columnas },
});
