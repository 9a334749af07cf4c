import { sql } from 'kysely';
import { z } from 'zod';
import { currentMonthByMinute, nombreOfRango, readRango } from '~/core/list';
import { listFields, minutoFields } from '~/core/listFields';
import { MARKETS } from '~/core/market';
import { defineList } from '~/platform/lists/list.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { estatusLabel } from '~/domain/ventas/ordenes/estatus';
import { ladosOfOrdenes } from '~/domain/ventas/ordenes/lados.server';
import { COLUMNAS, common, inRange, rows, SORTS } from '~/domain/ventas/ordenes/listOrdenes.server';
import type { Db, Trx } from '~db/client.server';

/** The condition of the index of sales that wait for own shipping, word for word (20261122_1340_situacion). */
const POR_COTIZAR = sql<boolean>`orden.envio_propio and orden.estatus in ('cobroRequerido', 'enPreparacion') and orden.situacion <> 'cancelada'`;

/** The marketplaces whose own shipping is priced by people. */
const COTIZADOS = MARKETS.filter((market) => MERCADOS[market].cotizaEnvio);

const filas = (db: Db | Trx) => rows(db).select(['envio.costo as costo', 'envio.cp', 'envio.municipio']);

export type CotizarRow = Awaited<ReturnType<ReturnType<typeof filas>['execute']>>[number];

/** 'Cotizar envios': the sales whose own shipping is not on its way yet. */
export const cotizarList = defineList({
  ...common,
  rows: filas,
  alLado: ladosOfOrdenes,
  lista: 'cotizarEnvios',
  titulo: 'Cotizar envios',
  filtro: z
    .object({ ...listFields(SORTS, '-fecha'), ...minutoFields })
    .transform((fields) => ({ ...fields, ...readRango(fields, currentMonthByMinute()) })),
  matches: (db, filtro, enteros) =>
    inRange(db, filtro, enteros)
      .where(POR_COTIZAR)
      .where('orden.market', 'in', COTIZADOS)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('envio as camino')
              .select('camino.id')
              .whereRef('camino.id', '=', 'orden.envioId')
              .where('camino.estatus', '=', sql.lit('enCamino')),
          ),
        ),
      ),
  totales: (ordenes) =>
    ordenes.select([
      sql<string>`coalesce(sum(${sql.ref('orden.pagado')}), 0)`.as('pagado'),
      sql<string>`coalesce(sum(${sql.ref('orden.costoEnvio')}), 0)`.as('costo'),
    ]),
  excel: {
    hoja: 'Cotizar envios',
    sufijo: nombreOfRango,
    columnas: [
      COLUMNAS.fecha,
      COLUMNAS.numero,
      COLUMNAS.titulo,
      COLUMNAS.paquete,
      COLUMNAS.envio,
      COLUMNAS.pagado,
      { header: 'Costo envio', tipo: 'pesos', ancho: 14, valor: (orden) => orden.costo },
      { header: 'Estatus', tipo: 'texto', ancho: 18, valor: (orden) => estatusLabel(orden.estatus) },
      COLUMNAS.factura,
      COLUMNAS.proveedor,
    ],
  },
});
