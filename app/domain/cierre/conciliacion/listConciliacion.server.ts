import { sql } from 'kysely';
import { z } from 'zod';
import { nombreOfRango, readRango, type Rango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { addDays, civilDay, dayRange } from '~/core/time';
import { contains, defineList } from '~/platform/lists/list.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { ordenesEnteras } from '~/domain/ventas/ordenes/listOrdenes.server';
import type { Db, Trx } from '~db/client.server';
import { CAUSA_LABEL } from './concepto';
import { DEPOSITO_DIFIERE, VENTA_DIFIERE } from './internal/difiere.server';

/** Returns the last three months, up to today: a deposit tells of sales of the weeks before it. */
export function tresMeses(now = new Date()): Rango {
  const hasta = civilDay(now);
  return { desde: addDays(hasta, -90), hasta };
}

/** Filter of a list: all rows, or only those whose difference is above the tolerance. */
const difieren = z
  .enum(['', '1'])
  .optional()
  .catch('')
  .transform((valor) => valor ?? '');
const total = <const As extends string>(column: string, as: As) =>
  sql<string>`coalesce(sum(${sql.ref(column)}), 0)`.as(as);

/** 'Depósitos': the transfers to the bank, each with its difference to the movements that explain it. */
export const depositosList = defineList({
  lista: 'conciliacion',
  titulo: 'Conciliación por depósito',
  todas: 'Todos',
  id: 'deposito.id',
  idsGrow: true,
  filtro: z
    .object({ ...listFields(['diferencia', 'fecha', 'importe'], '-diferencia'), ...rangoFields, difieren })
    .transform((fields) => ({ ...fields, ...readRango(fields, tresMeses()) })),
  sorts: {
    diferencia: sql`greatest(abs(deposito.sin_explicar), deposito.mayor)`,
    fecha: sql.ref('deposito.fecha'),
    importe: sql.ref('deposito.importe'),
  },
  propios: { difieren: () => 'Con diferencia' },
  enteros: (entero) =>
    entero.clase === 'numero'
      ? sql`select distinct m.deposito_id from movimiento m, (${ordenesEnteras(entero)}) o where m.orden_id = o.id and m.deposito_id is not null`
      : undefined,
  matches(db, { desde, hasta, q, difieren: solo }, enteros) {
    const { from, to } = dayRange(desde, hasta);
    const todos = db.selectFrom('deposito').$if(solo === '1', (is) => is.where(DEPOSITO_DIFIERE));
    if (enteros) return todos.where(sql<boolean>`deposito.id in (${enteros})`);
    return todos
      .where('deposito.fecha', '>=', from)
      .where('deposito.fecha', '<', to)
      .$if(q !== '', (is) => is.where(sql<boolean>`strpos(lower(deposito.clave), lower(${q})) > 0`));
  },
  rows: (db: Db | Trx) =>
    db
      .selectFrom('deposito')
      .select([
        'deposito.id',
        'deposito.market',
        'deposito.clave',
        'deposito.fecha',
        'deposito.importe',
        'deposito.suma',
      ])
      .select(['deposito.saldoAntes', 'deposito.saldoDespues', 'deposito.sinExplicar', 'deposito.movimientos'])
      .select(['deposito.ventas', 'deposito.diferencia', 'deposito.mayor', 'deposito.motivo', 'deposito.reclamadoEn'])
      .select(DEPOSITO_DIFIERE.as('difiere')),
  totales: (depositos) =>
    depositos.select([
      total('deposito.importe', 'importe'),
      total('deposito.sinExplicar', 'sinExplicar'),
      total('deposito.diferencia', 'diferencia'),
    ]),
  excel: {
    hoja: 'Depósitos',
    sufijo: nombreOfRango,
    columnas: [
      { header: 'Fecha', tipo: 'fechaHora', valor: (uno) => uno.fecha },
      { header: 'Mercado', tipo: 'texto', ancho: 16, valor: (uno) => MERCADOS[uno.market].label },
      { header: 'Depósito', tipo: 'pesos', valor: (uno) => uno.importe },
      { header: 'Saldo anterior', tipo: 'pesos', valor: (uno) => uno.saldoAntes },
      { header: 'Movimientos', tipo: 'pesos', valor: (uno) => uno.suma },
      { header: 'Queda en la cuenta', tipo: 'pesos', valor: (uno) => uno.saldoDespues },
      { header: 'Sin explicar', tipo: 'pesos', valor: (uno) => uno.sinExplicar },
      { header: 'Diferencia en ventas', tipo: 'pesos', valor: (uno) => uno.diferencia },
      { header: 'Ventas', tipo: 'numero', valor: (uno) => uno.ventas },
      { header: 'Motivo', tipo: 'texto', ancho: 40, valor: (uno) => uno.motivo },
      { header: 'Reclamado', tipo: 'fechaHora', valor: (uno) => uno.reclamadoEn },
    ],
  },
});

/** 'Conciliadas': the expected and the real figures of each sale. */
export const conciliadasList = defineList({
  lista: 'conciliacion.ventas',
  titulo: 'Conciliación por venta',
  id: 'conciliacion.ordenId',
  idsGrow: false,
  filtro: z
    .object({ ...listFields(['diferencia', 'fecha', 'esperado', 'recibido'], '-diferencia'), ...rangoFields, difieren })
    .transform((fields) => ({ ...fields, ...readRango(fields, tresMeses()) })),
  sorts: {
    diferencia: sql.ref('conciliacion.mayor'),
    fecha: sql.ref('conciliacion.fecha'),
    esperado: sql.ref('conciliacion.esperado'),
    recibido: sql.ref('conciliacion.recibido'),
  },
  propios: { difieren: () => 'Con diferencia' },
  enteros: (entero) => (entero.clase === 'numero' ? ordenesEnteras(entero) : undefined),
  matches(db, { desde, hasta, q, difieren: solo }, enteros) {
    const { from, to } = dayRange(desde, hasta);
    const todas = db.selectFrom('conciliacion').$if(solo === '1', (is) => is.where(VENTA_DIFIERE));
    if (enteros) return todas.where(sql<boolean>`conciliacion.orden_id in (${enteros})`);
    return todas
      .where('conciliacion.fecha', '>=', from)
      .where('conciliacion.fecha', '<', to)
      .$if(q !== '', (is) =>
        is.where(sql<boolean>`conciliacion.orden_id in (select id from orden where ${contains('orden.busqueda', q)})`),
      );
  },
  rows: (db: Db | Trx) =>
    db
      .selectFrom('conciliacion')
      .innerJoin('orden', 'orden.id', 'conciliacion.ordenId')
      .select(['conciliacion.ordenId as id', 'conciliacion.market', 'conciliacion.fecha', 'conciliacion.esperado'])
      .select(['conciliacion.recibido', 'conciliacion.diferencia', 'conciliacion.mayor', 'conciliacion.completa'])
      .select(['conciliacion.dCobrado', 'conciliacion.dComision', 'conciliacion.dEnvio', 'conciliacion.dRetencion'])
      .select([
        'conciliacion.rOtros',
        'conciliacion.motivo',
        'conciliacion.reclamadoEn',
        'orden.numOrden',
        'orden.titulo',
      ])
      .select(VENTA_DIFIERE.as('difiere')),
  totales: (ventas) =>
    ventas.select([
      total('conciliacion.esperado', 'esperado'),
      total('conciliacion.recibido', 'recibido'),
      total('conciliacion.diferencia', 'diferencia'),
    ]),
  excel: {
    hoja: 'Ventas',
    sufijo: nombreOfRango,
    columnas: [
      { header: 'Fecha', tipo: 'fechaHora', valor: (venta) => venta.fecha },
      { header: 'Mercado', tipo: 'texto', ancho: 16, valor: (venta) => MERCADOS[venta.market].label },
      { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (venta) => venta.numOrden },
      { header: 'Título', tipo: 'texto', ancho: 50, valor: (venta) => venta.titulo },
      { header: 'Esperado', tipo: 'pesos', valor: (venta) => venta.esperado },
      { header: 'Recibido', tipo: 'pesos', valor: (venta) => venta.recibido },
      { header: 'Diferencia', tipo: 'pesos', valor: (venta) => venta.diferencia },
      { header: 'En lo cobrado', tipo: 'pesos', valor: (venta) => venta.dCobrado },
      { header: 'En la comisión', tipo: 'pesos', valor: (venta) => venta.dComision },
      { header: 'En el envío', tipo: 'pesos', valor: (venta) => venta.dEnvio },
      { header: 'En la retención', tipo: 'pesos', valor: (venta) => venta.dRetencion },
      { header: 'Otros cargos', tipo: 'pesos', valor: (venta) => venta.rOtros },
      { header: 'Motivo', tipo: 'texto', ancho: 40, valor: (venta) => venta.motivo },
      { header: 'Reclamada', tipo: 'fechaHora', valor: (venta) => venta.reclamadoEn },
    ],
  },
});

/** 'Ajustes': the profits of months that ended, and what moved them since. */
export const ajustesList = defineList({
  lista: 'conciliacion.ajustes',
  titulo: 'Ajustes de meses cerrados',
  todas: 'Todos',
  id: 'utilidadAjuste.id',
  idsGrow: true,
  filtro: z
    .object({ ...listFields(['fecha', 'diferencia'], '-fecha'), ...rangoFields })
    .transform((fields) => ({ ...fields, ...readRango(fields, tresMeses()) })),
  sorts: { fecha: sql.ref('utilidadAjuste.en'), diferencia: sql.ref('utilidadAjuste.diferencia') },
  enteros: (entero) =>
    entero.clase === 'numero'
      ? sql`select a.id from utilidad_ajuste a, (${ordenesEnteras(entero)}) o where a.orden_id = o.id`
      : undefined,
  matches(db, { desde, hasta }, enteros) {
    const todos = db.selectFrom('utilidadAjuste');
    if (enteros) return todos.where(sql<boolean>`utilidad_ajuste.id in (${enteros})`);
    const { from, to } = dayRange(desde, hasta);
    return todos.where('utilidadAjuste.en', '>=', from).where('utilidadAjuste.en', '<', to);
  },
  rows: (db: Db | Trx) =>
    db
      .selectFrom('utilidadAjuste')
      .innerJoin('orden', 'orden.id', 'utilidadAjuste.ordenId')
      .select([
        'utilidadAjuste.id',
        'utilidadAjuste.en',
        'utilidadAjuste.mes',
        'utilidadAjuste.causa',
        'utilidadAjuste.antes',
      ])
      .select([
        'utilidadAjuste.despues',
        'utilidadAjuste.diferencia',
        'utilidadAjuste.ordenId',
        'orden.numOrden',
        'orden.market',
      ]),
  totales: (ajustes) => ajustes.select(total('utilidadAjuste.diferencia', 'diferencia')),
  excel: {
    hoja: 'Ajustes',
    sufijo: nombreOfRango,
    columnas: [
      { header: 'Fecha', tipo: 'fechaHora', valor: (uno) => uno.en },
      { header: 'Mes de la venta', tipo: 'texto', ancho: 14, valor: (uno) => uno.mes },
      { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (uno) => uno.numOrden },
      { header: 'Por', tipo: 'texto', ancho: 26, valor: (uno) => CAUSA_LABEL[uno.causa] },
      { header: 'Utilidad antes', tipo: 'pesos', valor: (uno) => uno.antes },
      { header: 'Utilidad después', tipo: 'pesos', valor: (uno) => uno.despues },
      { header: 'Ajuste', tipo: 'pesos', valor: (uno) => uno.diferencia },
    ],
  },
});
