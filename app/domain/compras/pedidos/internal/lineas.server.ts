import { sql } from 'kysely';
import type { Money } from '~/core/money';
import type { EnAlmacen } from '~/integrations/proveedores/cara';
import { PRODUCTO_DE_ARTICULO } from '~/domain/compras/catalogo/delArticulo.server';
import { tipoCambio } from '~/domain/compras/precios/precios.server';
import { type Apartada, apartadasPara } from '~/domain/compras/stock/readPiezas.server';
import type { Db, Trx } from '~db/client.server';
import type { Market, Moneda } from '~db/columns';

/** A product of a supplier with its known price and stock, and their age. */
export type ProductoDeLinea = {
  id: string;
  idProveedor: string;
  autoOrden: boolean;
  enVenta: boolean;
  precio: Money | null;
  moneda: Moneda | null;
  tipoCambio: Money | null;
  existencia: number | null;
  almacenes: EnAlmacen[];
  leidaEn: Date | null;
};

/** A line of a sale, with the product that its sku names: `AMS|key|supplier|model`. */
export type LineaDeVenta = {
  ordenId: string;
  nombre: string;
  modelo: string | null;
  /** Pieces that the line still lacks; 0 when our own stock serves all of it. */
  cantidad: number;
  /** Pieces of the line that leave, or are kept, from our own stock. */
  deStock: number;
  proveedor: string | null;
  producto: ProductoDeLinea | null;
};

/** Returns the lines of a sale, over all its ordenes. */
export async function lineasOfVenta(db: Db | Trx, market: Market, numOrden: string): Promise<LineaDeVenta[]> {
  const { rows } = await sql<
    Omit<LineaDeVenta, 'producto' | 'deStock'> & { [K in keyof ProductoDeLinea]: ProductoDeLinea[K] | null } & {
      productoId: string | null;
    }
  >`
    select o.id as orden_id, articulo.nombre, articulo.modelo, articulo.cantidad, lower(articulo.proveedor) as proveedor,
      producto.id as producto_id, producto.id_proveedor, producto.auto_orden,
      producto.en_venta and producto.ausente_desde is null as en_venta,
      oferta.precio, oferta.moneda, ${tipoCambio} as tipo_cambio, oferta.existencia, oferta.almacenes, oferta.leida_en
    from orden o join articulo on articulo.orden_id = o.id
    left join producto on producto.id = ${PRODUCTO_DE_ARTICULO}
    left join oferta on oferta.producto_id = producto.id
    where o.market = ${market} and o.num_orden = ${numOrden}
    order by o.market_id, articulo.posicion`.execute(db);
  const lineas = rows.map(({ ordenId, nombre, modelo, cantidad, proveedor, productoId, ...producto }) => ({
    ordenId,
    nombre,
    modelo,
    cantidad,
    deStock: 0,
    proveedor,
    producto:
      productoId === null
        ? null
        : ({ ...producto, id: productoId, almacenes: producto.almacenes ?? [] } as ProductoDeLinea),
  }));
  return sinLoOfStock(lineas, await apartadasPara(db, [...new Set(lineas.map(({ ordenId }) => ordenId))]));
}

/**
 * Returns what the lines lack once each piece of our own stock is counted for the line of its product or model. A piece that a person chose for a
 * sale of one line counts for that line, whatever it is called.
 */
export function sinLoOfStock(lineas: readonly LineaDeVenta[], apartadas: readonly Apartada[]): LineaDeVenta[] {
  const quedan = lineas.map((linea) => ({ ...linea }));
  for (const { ordenId, productoId, modelo } of apartadas) {
    const faltan = quedan.filter(({ cantidad }) => cantidad > 0);
    const iguales = faltan.filter((linea) => isOf(linea, { productoId, modelo }));
    const linea =
      iguales.find((una) => una.ordenId === ordenId) ?? iguales[0] ?? (lineas.length === 1 ? faltan[0] : undefined);
    if (!linea) continue;
    linea.cantidad -= 1;
    linea.deStock += 1;
  }
  return quedan;
}

const isOf = (linea: LineaDeVenta, { productoId, modelo }: Omit<Apartada, 'ordenId'>): boolean =>
  (productoId !== null && linea.producto?.id === productoId) ||
  (modelo !== null && linea.modelo?.toLowerCase() === modelo.toLowerCase());

/** Returns a warehouse that has every line: the first preferred one, else the one with most pieces. Null when none has them all. */
export function chooseAlmacen(
  lineas: readonly { cantidad: number; producto: Pick<ProductoDeLinea, 'idProveedor' | 'almacenes'> }[],
  preferidos: readonly string[],
): string | null {
  const pedidas = new Map<string, { cantidad: number; almacenes: readonly EnAlmacen[] }>();
  for (const { cantidad, producto } of lineas) {
    const antes = pedidas.get(producto.idProveedor)?.cantidad ?? 0;
    pedidas.set(producto.idProveedor, { cantidad: antes + cantidad, almacenes: producto.almacenes });
  }
  const [first, ...rest] = [...pedidas.values()];
  const hay = (one: NonNullable<typeof first>, almacen: string) =>
    one.almacenes.find((each) => each.almacen === almacen)?.cantidad ?? 0;
  const cubren = (first?.almacenes ?? [])
    .filter(({ almacen }) => [first!, ...rest].every((one) => hay(one, almacen) >= one.cantidad))
    .map(({ almacen, cantidad }) => ({ almacen, cantidad, lugar: preferidos.indexOf(almacen) }));
  const preferido = cubren.filter(({ lugar }) => lugar >= 0).toSorted((a, b) => a.lugar - b.lugar)[0];
  return (preferido ?? cubren.toSorted((a, b) => b.cantidad - a.cantidad)[0])?.almacen ?? null;
}
