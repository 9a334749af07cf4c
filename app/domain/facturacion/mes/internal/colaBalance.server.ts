import { sql } from 'kysely';
import { writeCount } from '~/core/count';
import { enPesos } from '~/core/importe';
import type { Money } from '~/core/money';
import { addDays, monthRange, nombreOfMes, ZONA_HORARIA } from '~/core/time';
import type { Cola, Cosa } from '~/platform/hoy/cola';
import { countCosas } from '~/platform/hoy/countCosas.server';
import type { Db } from '~db/client.server';
import { POR_REMEDIO } from '../balance.server';
import { isRunning, type Mes } from '../mes';
import { ofMes } from '../mes.server';

const PLAZOS = { aviso: 0, mal: 0 };
/** Most months that are looked at: two years. */
const MOST = 24;

/**
 * The queue of sales whose documents do not come to what stayed paid, one thing for each month and remedy: documents that a person has to compare, of every month; and the
 * credit notes of the month that runs, since those of months that ended belong to their closing.
 */
export const balancePorRevisar: Cola = {
  clave: 'balancePorRevisar',
  titulo: 'Balance fiscal',
  clase: 'plazo',
  icono: 'balanceFiscal',
  pantallas: ['balanceFiscal'],
  ver: 'Abrir Balance fiscal',
  // Each month is a row of its own list.
  cuenta: ['pendiente', 'pendientes'],
  plazos: PLAZOS,
  necesita: 'timbrado',
  frescoMs: 30_000,
  async mira(db, mirada) {
    const { rows } = await sql<{ mes: Mes }>`
      select distinct to_char(fecha at time zone ${sql.lit(ZONA_HORARIA)}, 'YYYY-MM') as mes
      from libro_venta where diferencia <> 0 and documentos > 0 order by 1 desc limit ${MOST}`.execute(db);
    const cosas: Cosa[] = [];
    for (const { mes } of rows) {
      cosas.push(...(await cosasOf(db, mes, 'revisar')));
      if (isRunning(mes, mirada.ahora)) cosas.push(...(await cosasOf(db, mes, 'notas')));
    }
    return countCosas(cosas, PLAZOS, mirada);
  },
};

/** The thing of a month and a remedy; none where no sale asks for it. A month is closed in the one that follows, so it is late after that one's last day. */
async function cosasOf(db: Db, mes: Mes, remedio: keyof typeof POR_REMEDIO): Promise<Cosa[]> {
  const { rows } = await sql<{ ventas: number; suma: Money }>`
    select count(*)::int as ventas, coalesce(sum(abs(libro_venta.diferencia)), 0) as suma
    from orden join libro_venta on libro_venta.orden_id = orden.id
    where libro_venta.diferencia <> 0 and ${ofMes(mes)} and ${POR_REMEDIO[remedio].donde}`.execute(db);
  const { ventas, suma } = rows[0]!;
  if (ventas === 0) return [];
  const que = remedio === 'notas' ? 'con nota de crédito por emitir' : 'con documentos que no suman lo pagado';
  return [
    {
      id: `${mes}:${remedio}`,
      titulo: `Balance de ${nombreOfMes(mes)}`,
      detalle: `${ventas === 1 ? '1 venta' : `${writeCount(ventas)} ventas`} ${que} · ${enPesos(suma)}`,
      a: `balanceFiscal?mes=${mes}&vista=${remedio}&cuales=${remedio}`,
      desde: monthRange(mes).from,
      vence: monthRange(addDays(`${mes}-28`, 4).slice(0, 7)).to,
    },
  ];
}
