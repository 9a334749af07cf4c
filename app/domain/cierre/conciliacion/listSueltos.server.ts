import { sql } from 'kysely';
import { z } from 'zod';
import { nombreOfRango, readRango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { TODAS } from '~/core/periodo';
import { dayRange } from '~/core/time';
import { MERCADOS } from '~/domain/mercados/mercados';
import { contains, defineList } from '~/platform/lists/list.server';
import { tresMeses } from './listConciliacion.server';
import { busquedaOf, CLASE_DE_SUELTO_LABEL, MOTIVO_DE_SUELTO_LABEL } from './suelto';

/** Hours that a search may take before its amount is work all the same: the marketplace may be paused, or not linked any more. */
const BUSCA_HORAS = 24;
/** SQL: nobody knows yet what the amount is, and the search for its sale has ended, was not asked for or takes too long. */
export const POR_IDENTIFICAR = sql<boolean>`(suelto.motivo is null and (suelto.clase <> 'venta' or suelto.pedido_en is null or suelto.buscado_en is not null
  or suelto.pedido_en < now() - make_interval(hours => ${sql.lit(BUSCA_HORAS)})))`;

/** 'Sin identificar': money of settlements that is of no sale here, by the number that its lines share. */
export const sueltosList = defineList({
  lista: 'conciliacion.sueltos',
  titulo: 'Sin identificar',
  todas: 'Todos',
  id: 'suelto.id',
  idsGrow: true,
  filtro: z
    .object({ ...listFields(['fecha', 'importe'], '-fecha'), ...rangoFields })
    .transform((fields) => ({ ...fields, ...readRango(fields, tresMeses()) })),
  cuales: { porIdentificar: { nombre: 'Por identificar', donde: POR_IDENTIFICAR, rango: TODAS } },
  sorts: { fecha: sql.ref('suelto.hasta'), importe: sql`abs(suelto.importe)` },
  matches(db, { desde, hasta, q }) {
    const { from, to } = dayRange(desde, hasta);
    return db
      .selectFrom('suelto')
      .where('suelto.hasta', '>=', from)
      .where('suelto.hasta', '<', to)
      .$if(q !== '', (is) =>
        is.where((eb) =>
          eb.or([contains('suelto.clave', q), contains('suelto.numero', q), contains('suelto.detalle', q)]),
        ),
      );
  },
  rows: (db) =>
    db
      .selectFrom('suelto')
      .select(['suelto.id', 'suelto.market', 'suelto.clase', 'suelto.numero', 'suelto.detalle', 'suelto.importe'])
      .select([
        'suelto.lineas',
        'suelto.hasta',
        'suelto.pedidoEn',
        'suelto.buscadoEn',
        'suelto.hallazgo',
        'suelto.motivo',
      ])
      .select(POR_IDENTIFICAR.as('porIdentificar')),
  totales: (sueltos) => sueltos.select(sql<string>`coalesce(sum(suelto.importe), 0)`.as('importe')),
  excel: {
    hoja: 'Sin identificar',
    sufijo: nombreOfRango,
    columnas: [
      { header: 'Fecha', tipo: 'fechaHora', valor: ({ hasta }) => hasta },
      { header: 'Mercado', tipo: 'texto', ancho: 16, valor: ({ market }) => MERCADOS[market].label },
      { header: 'Qué es', tipo: 'texto', ancho: 24, valor: ({ clase }) => CLASE_DE_SUELTO_LABEL[clase] },
      { header: 'Dicho por el mercado', tipo: 'texto', ancho: 50, valor: ({ detalle }) => detalle },
      { header: 'Número', tipo: 'texto', ancho: 22, valor: ({ numero }) => numero },
      { header: 'Renglones', tipo: 'numero', valor: ({ lineas }) => lineas },
      { header: 'Importe', tipo: 'pesos', valor: ({ importe }) => importe },
      { header: 'Motivo', tipo: 'texto', ancho: 28, valor: ({ motivo }) => motivo && MOTIVO_DE_SUELTO_LABEL[motivo] },
      { header: 'Búsqueda', tipo: 'texto', ancho: 40, valor: busquedaOf },
    ],
  },
});
