import { Money } from '~/core/money';
import type { ArticuloLeido, Situacion, VentaLeida } from '~/domain/mercados/venta';
import type { EstatusOrden } from '~db/columns';
import { type EnvioEstado, estatusOf } from '../estatus';
import { type Clase, classifyOrden } from '../orden';
import { envioAdicional, envioEnPagos, hasApproved, medioPagoOf, pagadoOf } from './pagado';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Waits between two looks while something of a sale is not there yet. */
const WAITS = [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY];
/** Wait between two looks at a shipment on its way, which is looked at even if no notice comes. */
const OPEN_SHIPMENT_WAIT = 12 * HOUR;
const OPEN_SHIPMENT_DAYS = 60;
const FINAL = new Set(['delivered', 'not_delivered', 'cancelled']);

/** An orden and its articulos as they are written. */
export type OrdenLeida = {
  marketId: string;
  numOrden: string;
  packId: string | null;
  fechaCreacion: Date;
  fechaCierre: Date | null;
  actualizadaEn: Date;
  estatus: EstatusOrden;
  situacion: Situacion;
  marketStatus: string;
  tags: string[];
  clase: Clase;
  meliResale: boolean;
  titulo: string;
  total: Money;
  pagadoAbs: Money;
  /** The part that stays paid of a sale that came back, without the shipping of its cart; null of any other, and where nothing does. */
  enPie: Money | null;
  /** Null while the marketplace does not tell that of every articulo. */
  comision: Money | null;
  envioAdicional: Money;
  /** Shipping inside the payments of the sale, which `pagadoAbs` counts. */
  envioEnPagos: Money;
  envioPropio: boolean;
  acordada: boolean;
  medioPago: string | null;
  formaPago: string | null;
  compradorId: string | null;
  comprador: string | null;
  billingInfoId: string | null;
  articulos: ArticuloLeido[];
};

/** The facts that decide about an orden and that no marketplace tells. */
export type Circunstancia = {
  envio: EnvioEstado | null;
  previous: EstatusOrden | null;
  /** A person decided that the money of this sale is ours though it was not fulfilled. */
  conservada: boolean;
  prefijo: string;
};

/** Returns the row of `orden` that follows from a sale as it was read, with its state, its kind and its sums in pesos. */
export function ordenOf(venta: VentaLeida, circunstancia: Circunstancia): OrdenLeida {
  const { envio, previous, prefijo } = circunstancia;
  const { articulos, pagos, situacion, comprador } = venta;
  const estatus = estatusOf(situacion, envio, previous);
  const enPie = enPieOf(venta);
  const conservada = circunstancia.conservada && enPie !== null;
  const clase = classifyOrden({ estatus, situacion, skus: articulos.map(({ sku }) => sku), conservada }, prefijo);
  return {
    marketId: venta.marketId,
    numOrden: venta.numOrden,
    packId: venta.packId,
    fechaCreacion: venta.fechaCreacion,
    fechaCierre: venta.fechaCierre,
    actualizadaEn: venta.version,
    estatus,
    situacion,
    marketStatus: venta.marketStatus,
    tags: venta.tags,
    clase,
    meliResale: venta.facturaElMercado,
    titulo: venta.titulo,
    total: venta.total ?? Money.sum(articulos.map(({ importe }) => importe)),
    pagadoAbs: venta.pagadoAparte ?? pagadoOf(pagos, clase),
    enPie,
    comision: sumKnown(articulos.map(({ comision }) => comision)),
    envioAdicional: envioAdicional(pagos),
    envioEnPagos: envioEnPagos(pagos, clase),
    envioPropio: envio ? envio.propio : venta.propioSinEnvio,
    acordada: venta.acordada,
    ...medioPagoOf(pagos),
    compradorId: comprador.id,
    comprador: comprador.nombre,
    billingInfoId: comprador.fiscalId,
    articulos,
  };
}

function enPieOf({ situacion, pagadoAparte, pagos }: VentaLeida): Money | null {
  if (situacion !== 'devuelta') return null;
  const queda = pagadoAparte ?? pagadoOf(pagos, 'normal');
  return queda.compare(Money.zero) > 0 ? queda : null;
}

/** Returns the sum; null when a part is unknown. */
const sumKnown = (parts: readonly (Money | null)[]): Money | null =>
  parts.some((part) => part === null) ? null : Money.sum(parts as Money[]);

/** Returns when to look at this sale again without a notice; `revisiones` counts the looks since the sale last changed. */
export function nextReview(
  { falta, mirarEn, mirarCargosEn, pagos, fechaCreacion, envioCallado }: VentaLeida,
  envio: EnvioEstado | null,
  revisiones: number,
  now: Date,
): Date | null {
  const due = [mirarEn, mirarCargosEn].flatMap((at) => (at ? [at.getTime()] : []));
  if ((falta.documento || falta.envio || falta.retencion) && revisiones < WAITS.length)
    due.push(now.getTime() + WAITS[revisiones]!);
  const age = now.getTime() - fechaCreacion.getTime();
  if (envio && !envioCallado && !FINAL.has(envio.estatus) && hasApproved(pagos) && age < OPEN_SHIPMENT_DAYS * DAY)
    due.push(now.getTime() + OPEN_SHIPMENT_WAIT);
  return due.length > 0 ? new Date(Math.min(...due)) : null;
}

/** Returns whether a look is the last, which takes what there is. */
export const isLastReview = (revisiones: number) => revisiones >= WAITS.length - 1;
