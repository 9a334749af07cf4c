import type { Existencia } from '~db/columns';
import type { SinPrecio, Moneda } from '~/core/moneda';
import { type Market, MARKETS } from '~/core/market';
import { Money } from '~/core/money';
import { carasOf, type ReglasDePrecio, type Fraccion } from '~/domain/compras/precios/precio';

/** Filter of the list of products by stock. */
export const EXISTENCIAS = ['con', 'sin', 'sinDato'] as const satisfies readonly Existencia[];
export type ConExistencia = Existencia;
/** Texts of the filter by stock. */
export const EXISTENCIA_LABEL: Record<ConExistencia, string> = {
  con: 'Con existencia',
  sin: 'Sin existencia',
  sinDato: 'Existencia desconocida',
};

/** Short reasons why a product has no price. */
export const SIN_PRECIO_LABEL: Record<SinPrecio, string> = {
  sinDistribucion: 'No nos lo venden',
  proyecto: 'Solo por proyecto',
  cero: 'Precio en 0',
  ilegible: 'Precio ilegible',
  moneda: 'Otra moneda',
};

/** Text in place of a missing name. */
export const SIN_NOMBRE = 'Error de producto';

/** Text when an address names a product that is not there. */
export const PRODUCTO_AUSENTE = {
  titulo: 'No se encontro un producto',
  texto: 'El enlace nombra un producto que no está aquí.',
};

type EnVenta = { enVenta: boolean; ausenteDesde: Date | string | null };
/** Tells whether a product can be had of its supplier: it is sold, and stands in the catalogue. */
export const isActivo = ({ enVenta, ausenteDesde }: EnVenta) => enVenta && ausenteDesde === null;
/** The agreed words for that. */
export const activoLabel = (producto: EnVenta) => (isActivo(producto) ? 'Activo' : 'NO activo');

/** Longest names that are shown whole, in letters: in tables, on a page of the publisher, and in tables of stock and returns. */
export const NOMBRE_EN = { tabla: 60, publicador: 80, stock: 40 } as const;
/**
 * Returns a name of at most `max` letters as it is, and a longer one as its first letters with ' ...': one less than `max`, and the first forty in
 * stock. Returns the text for a missing name.
 */
export function nombreCorto(nombre: string | null, max: number = NOMBRE_EN.tabla): string {
  const letras = [...(nombre ?? SIN_NOMBRE)];
  if (letras.length <= max) return letras.join('');
  return `${letras.slice(0, max === NOMBRE_EN.stock ? max : max - 1).join('')} ...`;
}

/** Parts of one of our skus, 'AMS|id|proveedor|modelo'. A text is a sku when it has four parts. */
export type Sku = { id: string; proveedor: string; modelo: string };

/** Returns the parts of a sku; null when the text is none. */
export function skuOf(texto: string): Sku | null {
  const [marca, id, proveedor, ...modelo] = texto.split('|').map((parte) => parte.trim());
  return marca && id && proveedor && modelo.join('|') !== ''
    ? { id, proveedor: proveedor.toLowerCase(), modelo: modelo.join('|') }
    : null;
}

/**
 * Returns the words of a search, cleaned of the ways in which people paste them: parts of an address ('%20'), a title cut short by a shop (' ...'),
 * words parted by '%' as the old program wanted, names parted by a slash. A model with a slash is found by its halves. Leading zeros of a barcode are
 * dropped.
 */
export function palabrasOf(q: string): string {
  return sinPorcientos(q)
    .split(/[\s%/|]+/)
    .map((palabra) => /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(palabra)?.[0] ?? '')
    .map((palabra) => (/^0\d{7,13}$/.test(palabra) ? palabra.replace(/^0+/, '') : palabra))
    .filter((palabra) => palabra !== '')
    .join(' ');
}

function sinPorcientos(q: string): string {
  if (!/%[0-9a-f]{2}/i.test(q)) return q;
  try {
    return decodeURIComponent(q);
  } catch {
    return q;
  }
}

/** Price of a piece at a marketplace and the money left of it; null when the product has no readable price. */
export type PreciosDeProducto = Record<Market, { precio: Money; queda: Money; margen: Fraccion } | null>;

type Leido = {
  proveedor: string;
  precio: Money | null;
  moneda: Moneda | null;
  sinPrecio: SinPrecio | null;
  tipoCambio: Money | null;
  costoEnvio: Money | null;
  propias: Readonly<Record<string, string>> | null;
  /** Commissions that marketplaces estimated of it, by the listings that it is sold by. */
  estimadas: readonly { market: Market; precio: string; comision: string }[] | null;
};

/** Returns a row of the catalogue as the rules of prices take it. */
export function preciableOf({
  proveedor,
  precio,
  moneda,
  sinPrecio,
  tipoCambio,
  costoEnvio,
  propias,
  estimadas,
}: Leido) {
  return {
    proveedor,
    ofrecido: { precio, moneda, sinPrecio, tipoCambio },
    envio: costoEnvio,
    propias: Object.fromEntries(
      Object.entries(propias ?? {}).map(([market, fraccion]) => [market, Money.of(fraccion)]),
    ),
    estimadas: (estimadas ?? []).map(({ market, precio: at, comision }) => ({
      market,
      precio: Money.of(at),
      comision: Money.of(comision),
    })),
  };
}

/** Returns the sale price and the margin of a product at each marketplace. */
export function preciosOf(reglas: ReglasDePrecio, leido: Leido): PreciosDeProducto {
  const caras = carasOf(reglas, preciableOf(leido));
  const precios = MARKETS.map((market) => {
    const { venta, margen } = caras[market];
    return [
      market,
      venta.clase === 'precio' && margen ? { precio: venta.precio, queda: margen.queda, margen: margen.margen } : null,
    ];
  });
  return Object.fromEntries(precios) as PreciosDeProducto;
}

/** Largest price list that may be uploaded, in MB. */
export const MAX_LISTA_MB = 10;
