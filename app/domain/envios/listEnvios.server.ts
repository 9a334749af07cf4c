import { sql } from 'kysely';
import { z } from 'zod';
import { identificadorDe, isFolio } from '~/core/identificador';
import { readRango, type ListFilter, type Rango } from '~/core/list';
import { MARKETS } from '~/core/market';
import { listFields, rangoFields } from '~/core/listFields';
import { dayRange } from '~/core/time';
import { contains, defineList, type ExcelColumn } from '~/domain/lists/list.server';
import { estatusLabel } from '~/domain/ordenes/estatus';
import type { Db, Trx } from '~db/client.server';
import { estatusDeEnvio, rastreoUrl } from './envio';

const SORTS = ['fecha', 'actualizado', 'costo'] as const;
const filtro = z
  .object({ ...listFields(SORTS, '-fecha'), ...rangoFields })
  .transform((fields) => ({ ...fields, ...readRango(fields) }));

const sorts = {
  fecha: sql.ref('envio.fechaCreacion'),
  actualizado: sql.ref('envio.actualizadoEn'),
  costo: sql.ref('envio.costo'),
};

/** Shipments of a range by the words of a search; of all dates by the number of a sale in them, or by their own number or guide. */
function inRange(db: Db | Trx, { q, desde, hasta }: ListFilter & Rango) {
  const { from, to } = dayRange(desde, hasta);
  const envios = db.selectFrom('envio');
  const enRango = envios.where('envio.fechaCreacion', '>=', from).where('envio.fechaCreacion', '<', to);
  if (q === '') return enRango;
  const whole = identificadorDe(q);
  if (whole?.clase === 'numero') {
    const ventas = db.selectFrom('orden').where('envioId', 'is not', null).select('envioId');
    return envios.where(
      'envio.id',
      'in',
      ventas.where('numOrden', '=', whole.texto).union(ventas.where('marketId', '=', whole.texto)),
    );
  }
  const inText = enRango.where(contains('envio.busqueda', q));
  if (!whole || !isFolio(whole)) return inText;
  return envios.where(
    'envio.id',
    'in',
    inText
      .select('envio.id')
      .union(
        envios
          .select('id')
          .where('market', 'in', [...MARKETS])
          .where('marketId', '=', whole.texto),
      )
      .union(envios.select('id').where('guia', '=', whole.texto)),
  );
}

/** In the words of the index of those that still travel (20261120_1800_envios). */
const PENDIENTE = sql<boolean>`estatus not in ('delivered', 'entregado', 'cancelled', 'cancelado', 'returned', 'devuelto') and (estatus <> 'not_delivered' or coalesce(subestatus, '') <> 'returned')`;

const rows = (db: Db | Trx) =>
  db
    .selectFrom('envio')
    .select([
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
      sql<string | null>`coalesce(${sql.ref('envio.municipio')}, ${sql.ref('envio.ciudad')})`.as('localidad'),
    ]);

export type EnvioRow = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

const COLUMNAS = {
  fecha: { header: 'Fecha de creación', tipo: 'fechaHora', valor: (envio) => envio.fechaCreacion },
  actualizado: { header: 'Última actualización', tipo: 'fechaHora', valor: (envio) => envio.actualizadoEn },
  estatus: { header: 'Estatus', tipo: 'texto', ancho: 18, valor: (envio) => estatusLabel(estatusDeEnvio(envio)) },
  id: { header: 'ID', tipo: 'texto', ancho: 20, valor: (envio) => envio.marketId },
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
  enTodasLasFechas: ['numero', 'documento', 'folio'] as const,
};

/** 'Envios': every shipment of a range. */
export const enviosList = defineList({
  ...common,
  lista: 'envios',
  titulo: 'Envios',
  matches: inRange,
  totales: (envios) => envios.select(sql<string>`coalesce(sum(${sql.ref('envio.costo')}), 0)`.as('costo')),
  excel: { hoja: 'Envios', sufijo, columnas },
});

/** 'Envios pendientes': those that have neither arrived nor ended. */
export const enviosPendientesList = defineList({
  ...common,
  lista: 'enviosPendientes',
  titulo: 'Envios pendientes',
  matches: (db, asked) => inRange(db, asked).where(PENDIENTE),
  totales: (envios) => envios.select(sql<string>`coalesce(sum(${sql.ref('envio.costo')}), 0)`.as('costo')),
  excel: { hoja: 'Envios pendientes', sufijo, columnas },
});
