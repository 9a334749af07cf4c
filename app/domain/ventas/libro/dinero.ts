import type { Money } from '~/core/money';
import { rowOf } from '~/core/table';
import type { Certeza, FuenteDeAsiento } from '~db/columns';

/**
 * Parts of a sale's money whose amount may be estimated (`estima`) or unknown (`falta`). `calculo`: the ledger has not reckoned the sale yet. `estimacion` stands
 * beside `comision`: its marketplace estimates the commission, and not the rates.
 */
export type ParteIncierta =
  | 'comision'
  | 'estimacion'
  | 'cupon'
  | 'retencion'
  | 'envio'
  | 'costo'
  | 'propio'
  | 'catalogo'
  | 'recuperado'
  | 'calculo';

/** A line of what a sale leaves: positive adds to it, negative takes from it. */
export type LineaDeDinero = {
  clave: string;
  concepto: string;
  importe: Money;
  /** False for an estimate. */
  cierto: boolean;
  fuente: FuenteDeAsiento;
  /** Who said it, in words. */
  dicho: string;
  /** `importe` as part of the paid amount, in percent; null where nothing was paid. */
  parte: string | null;
};

/** The money of one sale: from what was paid to what is left. */
export type Dinero = {
  /** What the marketplace hands over, line by line, and its sum; null until the sale was reckoned. */
  ingresos: LineaDeDinero[];
  recibe: Money | null;
  /** A part of `recibe` is estimated, or not known yet. */
  recibeEstimado: boolean;
  /** What its goods cost, line by line. */
  costos: LineaDeDinero[];
  queda: Money | null;
  /** `queda` as part of the paid amount, in percent; null without both. */
  margen: string | null;
  certeza: Certeza;
  liquidada: boolean;
  /** Parts that nobody can tell yet. */
  falta: string[];
  /** Reasons why an amount is estimated or unknown, in sentences. */
  porque: string[];
};

const SE_ESTIMA: Readonly<Record<ParteIncierta, string>> = {
  comision: 'La comisión se estima con las tasas de Configuración de tiendas: el mercado todavía no la dice.',
  estimacion: '',
  cupon:
    'La parte del cupón que pagamos es la que dicen los descuentos de la venta: los cargos de su pago la hacen definitiva.',
  retencion: 'La retención se estima con las tasas de Configuración de tiendas: el mercado todavía no la dice.',
  envio: 'El costo del envío se estima.',
  costo: 'El costo es el del pedido: la factura del proveedor lo hace definitivo.',
  propio: 'El costo es el escrito para el producto: queda fijo cuando el mercado liquida la venta.',
  catalogo: 'El costo es el precio del proveedor cuando se vio la venta: su pedido, o su factura, lo hace definitivo.',
  recuperado: 'Lo que devuelve el proveedor por la pieza se estima en su costo.',
  calculo: '',
};
const NO_SE_SABE: Readonly<Record<ParteIncierta, string>> = {
  comision: 'La comisión no se sabe.',
  estimacion: '',
  cupon: 'El comprador usó un cupón y todavía no se sabe quién lo paga: no está restado.',
  retencion: 'La retención no se sabe.',
  envio: 'El costo del envío todavía no se sabe y no está restado.',
  costo: 'El costo no se sabe: no hay pedido con precio, factura de proveedor, costo escrito ni precio en el catálogo.',
  propio: 'El costo del producto no se sabe.',
  catalogo: 'El precio del proveedor no se sabe.',
  recuperado: 'Lo que devuelve el proveedor por la pieza no se sabe.',
  calculo: 'Se está calculando.',
};

/**
 * Returns why the money of a sale is not known to the cent, in sentences; none when it is. `mercado` is the name of its marketplace.
 */
export function porqueOf(
  { estima, falta }: { estima: readonly string[]; falta: readonly string[] },
  mercado = 'el mercado',
): string[] {
  const suya = estima.includes('estimacion');
  return [
    ...falta.map((parte) => rowOf(NO_SE_SABE, parte) ?? parte),
    ...estima
      .filter((parte) => parte !== 'estimacion')
      .map((parte) =>
        suya && parte === 'comision'
          ? `La comisión es la que ${mercado} estima para el precio vendido: todavía no dice la que cobra.`
          : (rowOf(SE_ESTIMA, parte) ?? parte),
      ),
  ];
}
