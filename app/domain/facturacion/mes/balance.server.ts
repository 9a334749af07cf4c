import { sql } from 'kysely';
import { z } from 'zod';
import { listFields } from '~/core/listFields';
import type { Money } from '~/core/money';
import { isMes } from '~/core/text';
import { monthRange, nombreOfMes } from '~/core/time';
import { contains, defineList } from '~/platform/lists/list.server';
import { ESPERA_DECISION } from '~/domain/facturacion/cfdi/facturables.server';
import type { Db } from '~db/client.server';
import { DIFERENCIA, type MotivoDeDiferencia } from './balance';
import type { Mes } from './mes';
import { ofMes, sinNota, VOLVIO } from './mes.server';

/** The reason of a difference, the one with a remedy of its own first. Tables: orden, libro_venta. */
const MOTIVO = sql<MotivoDeDiferencia>`case
  when libro_venta.documentos = 0 then 'porFacturar'
  when exists (
    select from refacturacion r join factura g on g.id = r.global_id and g.estatus = 'vigente'
    where r.orden_id = orden.id and r.factura_id is not null and ${sinNota('r.global_id')}
  ) then 'refacturacion'
  when ${ESPERA_DECISION} then 'porDecidir'
  when ${VOLVIO} then 'devuelta'
  when (
    select count(*) from factura_orden fo join factura f on f.id = fo.factura_id and f.estatus <> 'cancelada'
    where fo.orden_id = orden.id and ${sinNota('fo.factura_id')}
  ) > 1 then 'dosFacturas'
  when libro_venta.diferencia > 0 and orden.situacion = 'devueltaEnParte' then 'parcial'
  when libro_venta.diferencia > 0 then 'cobradoDeMas'
  else 'cobradoDeMenos' end`;

const conMotivo = (...motivos: MotivoDeDiferencia[]) =>
  sql<boolean>`(libro_venta.documentos > 0 and ${MOTIVO} in (${sql.join(motivos.map((motivo) => sql.lit(motivo)))}))`;
/** Which differences of sales with a document are looked at together, by their remedy: a credit note that is owed, or documents that a person compares. */
export const POR_REMEDIO = {
  notas: { nombre: 'Con nota por emitir', donde: conMotivo('refacturacion', 'devuelta', 'parcial') },
  revisar: { nombre: 'Por revisar', donde: conMotivo('dosFacturas', 'cobradoDeMas', 'cobradoDeMenos') },
};

const SORTS = ['fecha', 'orden', 'pagado', 'cobrado', 'acreditado', 'diferencia'] as const;
const BalanceFilter = z.object({ ...listFields(SORTS, 'fecha'), mes: z.string().refine(isMes).catch('') });

const delLibro = (columna: 'pagado' | 'cobrado' | 'acreditado' | 'diferencia') =>
  sql<Money>`${sql.ref(`libro_venta.${columna}`)}`;
const suma = (columna: Parameters<typeof delLibro>[0]) => sql<Money>`coalesce(sum(${delLibro(columna)}), 0)`;

/** The sales of a month whose CFDI, credit notes deducted, do not come to what stayed paid of them. */
export const balanceList = defineList({
  lista: 'balanceFiscal',
  titulo: 'Balance fiscal',
  filtro: BalanceFilter,
  id: 'orden.id',
  idsGrow: true,
  cuales: POR_REMEDIO,
  sorts: {
    fecha: sql.ref('orden.fechaCreacion'),
    orden: sql`${sql.ref('orden.numOrden')} collate "C"`,
    pagado: delLibro('pagado'),
    cobrado: delLibro('cobrado'),
    acreditado: delLibro('acreditado'),
    diferencia: delLibro('diferencia'),
  },
  matches: (db, { mes, q }) =>
    db
      .selectFrom('orden')
      .innerJoin('libroVenta', 'libroVenta.ordenId', 'orden.id')
      .where(sql<boolean>`libro_venta.diferencia <> 0`)
      .where(mes === '' ? sql<boolean>`false` : ofMes(mes))
      .$if(q !== '', (ventas) => ventas.where(contains('orden.busqueda', q))),
  rows: (db) =>
    db
      .selectFrom('orden')
      .innerJoin('libroVenta', 'libroVenta.ordenId', 'orden.id')
      .select([
        'orden.id',
        'orden.market',
        'orden.numOrden',
        'orden.fechaCreacion',
        'orden.titulo',
        'libroVenta.pagado',
        'libroVenta.cobrado',
        'libroVenta.acreditado',
        'libroVenta.diferencia',
        MOTIVO.as('motivo'),
      ]),
  totales: (ventas) =>
    ventas.select([
      suma('pagado').as('pagado'),
      suma('cobrado').as('cobrado'),
      suma('acreditado').as('acreditado'),
      suma('diferencia').as('diferencia'),
    ]),
  excel: {
    hoja: 'Balance fiscal',
    sufijo: ({ mes }) => (mes === '' ? '' : nombreOfMes(mes)),
    columnas: [
      { header: 'Fecha', tipo: 'fechaHora', valor: (venta) => venta.fechaCreacion },
      { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (venta) => venta.numOrden },
      { header: 'Título', tipo: 'texto', ancho: 50, valor: (venta) => venta.titulo },
      { header: 'Pagado', tipo: 'pesos', valor: (venta) => venta.pagado },
      { header: 'Cobrado en CFDI', tipo: 'pesos', valor: (venta) => venta.cobrado },
      { header: 'Acreditado', tipo: 'pesos', valor: (venta) => venta.acreditado },
      { header: 'Diferencia', tipo: 'pesos', valor: (venta) => venta.diferencia },
      { header: 'Motivo', tipo: 'texto', ancho: 26, valor: (venta) => DIFERENCIA[venta.motivo].label },
      { header: 'Remedio', tipo: 'texto', ancho: 20, valor: (venta) => DIFERENCIA[venta.motivo].remedio },
    ],
  },
});

/** The sums of a whole month: what stayed paid of its sales, and what their CFDI charge and give back. */
export type BalanceDeMes = {
  ventas: number;
  /** Sales with a difference. */
  descuadradas: number;
  pagado: Money;
  cobrado: Money;
  acreditado: Money;
  diferencia: Money;
};

/**
 * Reads the fiscal balance of a month over all its sales that are ours to invoice or that have a document. A cart may lie over the edge of a month, so the
 * sales of its first day and of the day after it are looked at; those between are of the month by their day alone, and an index holds their sums.
 */
export async function readBalance(db: Db, mes: Mes): Promise<BalanceDeMes> {
  const { from, to } = monthRange(mes);
  const columnas = sql`libro_venta.pagado, libro_venta.cobrado, libro_venta.acreditado, libro_venta.diferencia`;
  const aDay = sql`interval '1 day'`;
  const { rows } = await sql<BalanceDeMes>`
    select count(*)::int as ventas, (count(*) filter (where libro_venta.diferencia <> 0))::int as descuadradas, ${suma('pagado')} as pagado, ${suma('cobrado')} as cobrado,
      ${suma('acreditado')} as acreditado, ${suma('diferencia')} as diferencia
    from (
      select ${columnas} from libro_venta where libro_venta.fecha >= ${from}::timestamptz + ${aDay} and libro_venta.fecha < ${to}
      union all
      select ${columnas} from orden join libro_venta on libro_venta.orden_id = orden.id
      where (orden.fecha_creacion < ${from}::timestamptz + ${aDay} or orden.fecha_creacion >= ${to}) and ${ofMes(mes)}
    ) libro_venta
    where libro_venta.pagado > 0 or libro_venta.cobrado > 0`.execute(db);
  return rows[0]!;
}
