import { sql } from 'kysely';
import { writeCount } from '~/core/count';
import { enMiles } from '~/core/importe';
import type { Money } from '~/core/money';
import { addDays, monthRange, nombreOfMes } from '~/core/time';
import type { Cola, Cosa } from '~/platform/hoy/cola';
import { countCosas } from '~/platform/hoy/countCosas.server';
import type { Db } from '~db/client.server';
import { mesOf, type Mes } from '../mes';
import { devueltasConNota, porFacturar, porNotaOfRefacturacion } from '../mes.server';

const PLAZOS = { aviso: 0, mal: 0 };

/** The queue of last month's closing. A month is closed in the one that follows, and its closing is late after that month's last day. */
export const cierreDeMes: Cola = {
  clave: 'cierreDeMes',
  titulo: 'Cierre de mes',
  icono: 'calendario',
  pantallas: ['facturacionGeneral', 'rFacturacionGeneral'],
  ver: 'Abrir el cierre',
  plazos: PLAZOS,
  necesita: 'timbrado',
  frescoMs: 30_000,
  async mira(db, mirada) {
    const este = mesOf(mirada.ahora);
    const mes = addDays(`${este}-01`, -1).slice(0, 7);
    const { ventas, suma, notas } = await readCierre(db, mes);
    const comun = { desde: monthRange(este).from, vence: monthRange(este).to, a: `facturacionGeneral?mes=${mes}` };
    const cosas: Cosa[] = [
      ...(ventas === 0
        ? []
        : [
            {
              ...comun,
              id: `${mes}:global`,
              titulo: `Factura general de ${nombreOfMes(mes)}`,
              detalle: `${ventas === 1 ? '1 venta' : `${writeCount(ventas)} ventas`} · $${pesos(suma)}`,
            },
          ]),
      ...(notas === 0
        ? []
        : [
            {
              ...comun,
              id: `${mes}:notas`,
              titulo: `Notas de crédito de ${nombreOfMes(mes)}`,
              detalle: notas === 1 ? '1 por emitir' : `${writeCount(notas)} por emitir`,
            },
          ]),
    ];
    return countCosas(cosas, PLAZOS, mirada);
  },
};

function pesos(suma: Money): string {
  const [whole = '0', cents] = suma.toFixed(2).split('.');
  return `${enMiles(whole)}.${cents}`;
}

/** The sales of a month without a document, with their sum, and the number of credit notes that the month owes. */
async function readCierre(db: Db, mes: Mes): Promise<{ ventas: number; suma: Money; notas: number }> {
  const { rows } = await sql<{ ventas: number; suma: Money; notas: number }>`
    with por_facturar as (
      select count(*)::int as ventas, coalesce(sum(orden.pagado_abs), 0) as suma
      from orden where ${porFacturar(mes)}
    ), de_refacturacion as (
      select count(*)::int as notas
      from refacturacion
        join orden on orden.id = refacturacion.orden_id
        join factura on factura.id = refacturacion.global_id
      where ${porNotaOfRefacturacion(mes)}
    ), de_devueltas as (
      select count(*)::int as notas from orden where ${devueltasConNota(mes)}
    )
    select v.ventas, v.suma, r.notas + d.notas as notas
    from por_facturar v cross join de_refacturacion r cross join de_devueltas d`.execute(db);
  return rows[0]!;
}
