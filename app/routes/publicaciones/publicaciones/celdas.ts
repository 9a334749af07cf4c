import { nombreCorto } from '~/domain/compras/catalogo/producto';
import type { Market } from '~/core/market';
import { seCrea } from '~/domain/mercados/mercados';
import type { Celda } from '~/ui/lista/celda';

type Fila = {
  id: string;
  version: number;
  market: Market;
  titulo: string;
  precio: string | null;
  stock: number | null;
  estatus: string;
  autoSync: boolean;
  ausenteDesde: string | null;
  precioAjeno: boolean;
  stockAjeno: boolean;
};

/** A listing that follows its supplier, is being created or is gone has no field to type in, as in its panel. */
const seEscribe = ({ market, estatus, autoSync, ausenteDesde }: Fila) =>
  !autoSync && ausenteDesde === null && !seCrea(market, estatus);

/** The form of a listing's panel, with the facts that a change in a cell leaves as they are. */
const formOf = ({ id, version, titulo, precio, stock, estatus, autoSync }: Fila) => ({
  intent: 'editarPublicacion',
  id,
  version,
  titulo,
  precio: precio ?? '',
  stock: stock ?? 0,
  estatus,
  autoSync,
});

/** Returns the price of a listing as it is changed in its cell; null where it is only read, as a price that the marketplace moves. */
export function celdaOfPrecio(fila: Fila): Celda | null {
  // The form sends the pieces too, and a number that nobody knows is not sent as 0.
  if (!seEscribe(fila) || fila.precioAjeno || (fila.stock === null && !fila.stockAjeno)) return null;
  return { nombre: 'Precio', campo: 'precio', tipo: 'importe', valor: fila.precio ?? '', envia: formOf(fila) };
}

/**
 * Returns the pieces of a listing as they are changed in their cell; null where they are only read, as pieces that the marketplace keeps. `sinAlmacen` are the
 * marketplaces whose account has no store chosen.
 */
export function celdaOfStock(fila: Fila, sinAlmacen: readonly Market[]): Celda | null {
  if (!seEscribe(fila) || fila.stockAjeno || fila.precio === null || sinAlmacen.includes(fila.market)) return null;
  return {
    nombre: 'Stock',
    campo: 'stock',
    tipo: 'entero',
    valor: fila.stock === null ? '' : String(fila.stock),
    envia: formOf(fila),
    cero: () => ({
      titulo: 'Sin piezas',
      texto: '¿Esta seguro que desea dejar la publicación sin piezas?',
      hechos: `${nombreCorto(fila.titulo)}. Stock: ${fila.stock ?? '—'} → 0. Deja de venderse.`,
    }),
  };
}
