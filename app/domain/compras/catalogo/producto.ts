import type { Existencia } from '~db/columns';
import type { SinPrecio, Moneda } from '~/core/moneda';
import { type Market, MARKETS } from '~/core/market';
import { Money } from '~/core/money';
import { carasOf, type ReglasDePrecio, type Fraccion } from '~/domain/compras/precios/precio';

/** What the list of products may be asked for. */
export const EXISTENCIAS = ['con', 'sin', 'sinDato'] as const satisfies readonly Existencia[];
export type ConExistencia = Existencia;
export const EXISTENCIA_LABEL: Record<ConExistencia, string> = {
  con: 'Con existencia',
  sin: 'Sin existencia',
  sinDato: 'Existencia desconocida',
};

/** Why a product has no price, in a few words. */
export const SIN_PRECIO_LABEL: Record<SinPrecio, string> = {
  sinDistribucion: 'No nos lo venden',
  proyecto: 'Solo por proyecto',
  cero: 'Precio en 0',
  ilegible: 'Precio ilegible',
  moneda: 'Otra moneda',
};

/** What a product without a name is called. */
export const SIN_NOMBRE = 'Error de producto';

export const PRODUCTO_AUSENTE = {
  titulo: 'No se encontro un producto',
  texto: 'El enlace nombra un producto que no está aquí.',
};

/** A name as lists and the finder show it. */
const MAX_NOMBRE = 60;
export function nombreCorto(nombre: string | null, max = MAX_NOMBRE): string {
  const letras = [...(nombre ?? SIN_NOMBRE)];
  return letras.length <= max
    ? letras.join('')
    : `${letras
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

/** The parts of a sku of ours: 'AMS|id|proveedor|modelo'. Only whether it has four says that it is one. */
export type Sku = { id: string; proveedor: string; modelo: string };

export function skuOf(texto: string): Sku | null {
  const [marca, id, proveedor, ...modelo] = texto.split('|').map((parte) => parte.trim());
  return marca && id && proveedor && modelo.join('|') !== ''
    ? { id, proveedor: proveedor.toLowerCase(), modelo: modelo.join('|') }
    : null;
}

/**
 * The words of a search as people paste them: out of an address ('%20'), cut short by a shop (' ...'), parted by '%' as an older program wanted it, or by a slash
 * between two names of a thing. A model with a slash is found by its halves. Zeros before a code of bars are one way of writing it.
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

/** What a piece is sold for at a marketplace, and what is left of it; null where there is no price that can be read. */
export type PreciosDeProducto = Record<Market, { precio: Money; queda: Money; margen: Fraccion } | null>;

type Leido = {
  proveedor: string;
  precio: Money | null;
  moneda: Moneda | null;
  sinPrecio: SinPrecio | null;
  tipoCambio: Money | null;
  costoEnvio: Money | null;
  propias: Readonly<Record<string, string>> | null;
};

export function preciableOf({ proveedor, precio, moneda, sinPrecio, tipoCambio, costoEnvio, propias }: Leido) {
  return {
    proveedor,
    ofrecido: { precio, moneda, sinPrecio, tipoCambio },
    envio: costoEnvio,
    propias: Object.fromEntries(
      Object.entries(propias ?? {}).map(([market, fraccion]) => [market, Money.of(fraccion)]),
    ),
  };
}

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

/** What a price list may weigh. */
export const MAX_LISTA_MB = 10;
