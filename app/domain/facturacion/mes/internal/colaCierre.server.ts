import { writeCount } from '~/core/count';
import { enPesos } from '~/core/importe';
import { addDays, monthRange, nombreOfMes } from '~/core/time';
import type { Cola, Cosa } from '~/platform/hoy/cola';
import { countCosas } from '~/platform/hoy/countCosas.server';
import { mesesAbiertos, type MesAbierto } from '../mesesAbiertos.server';

const PLAZOS = { aviso: 0, mal: 0 };

/**
 * The queue of months that ended and are not closed, however old. A month is closed in the one that follows, and its closing is late after that month's
 * last day.
 */
export const cierreDeMes: Cola = {
  clave: 'cierreDeMes',
  titulo: 'Cierre de mes',
  clase: 'plazo',
  icono: 'calendario',
  pantallas: ['facturacionGeneral', 'rFacturacionGeneral'],
  ver: 'Abrir el cierre',
  cuenta: ['documento', 'documentos'],
  plazos: PLAZOS,
  necesita: 'timbrado',
  frescoMs: 30_000,
  async mira(db, mirada) {
    const meses = await mesesAbiertos(db, mirada.ahora);
    return countCosas(meses.flatMap(cosasOf), PLAZOS, mirada);
  },
};

function cosasOf({ mes, ventas, suma, notas }: MesAbierto): Cosa[] {
  const siguiente = monthRange(addDays(`${mes}-28`, 4).slice(0, 7));
  const comun = { desde: siguiente.from, vence: siguiente.to, a: `facturacionGeneral?mes=${mes}` };
  const global = {
    ...comun,
    id: `${mes}:global`,
    titulo: `Factura general de ${nombreOfMes(mes)}`,
    detalle: `${ventas === 1 ? '1 venta' : `${writeCount(ventas)} ventas`} · ${enPesos(suma)}`,
  };
  const notasDeCredito = {
    ...comun,
    id: `${mes}:notas`,
    titulo: `Notas de crédito de ${nombreOfMes(mes)}`,
    detalle: notas === 1 ? '1 por emitir' : `${writeCount(notas)} por emitir`,
  };
  return [...(ventas === 0 ? [] : [global]), ...(notas === 0 ? [] : [notasDeCredito])];
}
