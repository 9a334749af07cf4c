import { z } from 'zod';
import type { Existencia, Item } from '../cara';
import { clave, claveSatOf, cualquiera, enlaceOf, lista, monedaOf, piezasOf, precioOf, texto } from '../leer';

/** Envelope of every answer. `status` says whether it went well, whatever the status of HTTP. */
export const Sobre = z.object({
  status: cualquiera,
  message: texto,
  code: z.coerce.number().nullish().catch(null),
  data: cualquiera,
});
export type Sobre = z.output<typeof Sobre>;

/** Answer with a list of rows. */
export const Lista = lista(z.unknown());

/** States in which a piece is sold. */
const EN_VENTA = ['DE LINEA', 'ULTIMAS PIEZAS'];

const Producto = z.looseObject({
  item_id: clave,
  sku: texto,
  name: texto,
  brand: texto,
  active: cualquiera,
  status: texto,
  currency: cualquiera,
  sale_price: cualquiera,
});
type Producto = z.output<typeof Producto>;

/** Reads a product. */
export function itemOf(raw: unknown, leidaEn: Date): Item {
  const doc = Producto.parse(raw);
  return {
    idProveedor: doc.item_id,
    modelo: doc.sku,
    modeloFabricante: doc.sku,
    nombre: doc.name,
    marca: doc.brand,
    gtins: [],
    claveSat: claveSatOf(doc.sat_code),
    // Some pieces have no price: 0, or none at all. The suggested price (`regular_price`) is no cost.
    ...precioOf(doc.sale_price ?? 0, monedaOf(doc.currency)),
    promociones: [],
    tipoCambio: null,
    enVenta: isEnVenta(doc),
    existencia: existenciaOf(doc, leidaEn),
    imagenes: [enlaceOf(doc.image)].filter((one) => one !== null),
    link: null,
    raw,
  };
}

function isEnVenta({ active, status }: Producto): boolean {
  const closed = [false, 0, '0', 'false'].includes(active as string);
  return !closed && (status === null || EN_VENTA.includes(status.toUpperCase()));
}

const ALMACEN = /^stock_(?!total$)(\w+)$/;

/** Reads stock: the smallest number told, since the difference of `available` and `stock_total` is not documented. */
function existenciaOf(doc: Producto, leidaEn: Date): Existencia {
  const almacenes = Object.entries(doc).flatMap(([name, value]) => {
    const [almacen, cantidad] = [ALMACEN.exec(name)?.[1], piezasOf(value)];
    return almacen === undefined || cantidad === null ? [] : [{ almacen, nombre: null, cantidad }];
  });
  const told = [doc.available, doc.stock_total].flatMap((value) => piezasOf(value) ?? []);
  const sum = almacenes.length > 0 ? [almacenes.reduce((all, { cantidad }) => all + cantidad, 0)] : [];
  const counts = told.length > 0 ? told : sum;
  return { total: counts.length > 0 ? Math.min(...counts) : null, tope: false, almacenes, leidaEn };
}
