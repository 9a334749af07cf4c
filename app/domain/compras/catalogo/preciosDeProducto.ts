import { type Market, MARKETS } from '~/core/market';
import type { Moneda, SinPrecio } from '~/core/moneda';
import { Money } from '~/core/money';
import { carasOf, type ReglasDePrecio } from '~/domain/compras/precios/caras';
import type { Fraccion } from '~/domain/compras/precios/precio';

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
