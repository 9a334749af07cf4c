import { type Market, MARKETS } from '~/core/market';
import type { Money } from '~/core/money';
import {
  type Fraccion,
  GANANCIA,
  type MargenNeto,
  margenNeto,
  type NoHayPrecio,
  type Ofrecido,
  precioOfVenta,
  type PrecioDeVenta,
  type Tarifa,
} from './precio';

export type Ganancias = Readonly<Partial<Record<Market, Fraccion>>>;

/** What people chose for prices, read once for any number of products. */
export type ReglasDePrecio = {
  /** By supplier. */ ganancias: Readonly<Record<string, Ganancias>>;
  tarifas: Readonly<Record<Market, Tarifa>>;
};

/** A product as prices look at it. `propias`: mark-ups of its own, instead of its supplier's. */
export type Preciable = { proveedor: string; ofrecido: Ofrecido; envio: Money | null; propias: Ganancias };

/** The two faces of a price at one marketplace: what is charged, and what is left of it. */
export type Cara = {
  market: Market;
  ganancia: Fraccion;
  /** The product's own mark-up. */ propia: boolean;
  venta: PrecioDeVenta | NoHayPrecio;
  /** null where there is no price. */ margen: MargenNeto | null;
};

export const gananciaOf = ({ ganancias }: ReglasDePrecio, proveedor: string, market: Market): Fraccion =>
  ganancias[proveedor]?.[market] ?? GANANCIA;

export function carasOf(
  reglas: ReglasDePrecio,
  { proveedor, ofrecido, envio, propias }: Preciable,
): Record<Market, Cara> {
  const caras = MARKETS.map((market): [Market, Cara] => {
    const ganancia = propias[market] ?? gananciaOf(reglas, proveedor, market);
    const venta = precioOfVenta(ofrecido, { ganancia, envio });
    const margen =
      venta.clase === 'precio'
        ? margenNeto(venta.precio, { costo: venta.costo, envio: venta.envio, tarifa: reglas.tarifas[market] })
        : null;
    return [market, { market, ganancia, propia: propias[market] !== undefined, venta, margen }];
  });
  return Object.fromEntries(caras) as Record<Market, Cara>;
}
