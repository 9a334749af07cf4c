import type { SaleTruth } from '../truth';
import { cargosDe, movimientosOf } from './finances';
import { pagado, totalOfLinea, type Venta } from './ventas';

/** Returns what is true of a sale of Amazon at an instant. */
export function truthOf(venta: Venta, comisionConIva: boolean): SaleTruth {
  const given = venta.devoluciones.reduce((sum, { parte }) => sum + parte, 0);
  const total = venta.estado === 'CANCELLED' || venta.estado === 'PENDING' ? 0 : pagado(venta);
  const refunded = Math.round(total * given);
  const { comision, surtido, ivaRetenido, isr } = cargosDe(venta, comisionConIva);
  const stays = (centavos: number) => Math.round(centavos * (1 - given));
  return {
    market: 'amazon',
    numOrden: venta.id,
    ids: [venta.id],
    clases: [classOf(venta, given)],
    soldAt: venta.creada,
    paid: total - refunded,
    refunded,
    kept:
      movimientosOf(venta).length === 0
        ? null
        : { fee: stays(comision), coupon: 0, shipping: stays(surtido), withheld: stays(ivaRetenido + isr) },
    lines: venta.lineas.map((linea) => ({ sku: linea.sku, pieces: linea.cantidad, amount: totalOfLinea(linea) })),
    rfc: venta.negocio?.rfc ?? null,
  };
}

function classOf({ estado, lineas }: Venta, given: number): string {
  if (estado === 'CANCELLED') return 'cancelada';
  if (estado === 'PENDING') return 'pendiente';
  if (given >= 1) return 'devuelta';
  return lineas.every(({ sku }) => sku?.startsWith('AMS|')) ? 'normal' : 'invalida';
}
