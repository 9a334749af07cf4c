import { z } from 'zod';
import type { Money } from '~/core/money';
import type { Existencia, Item } from '../cara';
import { clave, claveSatOf, cualquiera, enlaceOf, importeOf, lista, piezas, piezasOf, precioOf, texto } from '../leer';

/** Base of relative pictures. */
const MEDIOS = 'https://cdn.tvc.mx/';
/** Currency of the prices, which come without one. All known clients read dollars. */
const MONEDA = 'USD';

const Almacen = z.object({ warehouse_id: clave, name: texto, quantity: piezas });
const Medios = z.object({ main_image: cualquiera, gallery: lista(z.unknown()).catch([]) }).catch({ gallery: [] });

const Producto = z.looseObject({
  tvc_id: clave,
  tvc_model: texto,
  provider_model: texto,
  name: texto,
  brand: texto,
  product_flow_type: texto,
  distributor_price: cualquiera,
  total_inventories: cualquiera,
  inventory_detailed: cualquiera,
  media: cualquiera.pipe(Medios),
});
type Producto = z.output<typeof Producto>;

/** Reads a product. */
export function itemOf(raw: unknown, leidaEn: Date): Item {
  const doc = Producto.parse(raw);
  return {
    idProveedor: doc.tvc_id,
    modelo: doc.tvc_model,
    modeloFabricante: doc.provider_model,
    nombre: doc.name,
    marca: doc.brand,
    gtins: [],
    claveSat: claveSatOf(doc.sat_key),
    ...precioOfProducto(doc),
    promociones: [],
    tipoCambio: null,
    enVenta: true,
    existencia: existenciaOf(doc, leidaEn),
    imagenes: [...new Set([doc.media.main_image, ...doc.media.gallery].flatMap((one) => enlaceOf(one, MEDIOS) ?? []))],
    link: enlaceOf(`https://tvc.mx/products/${encodeURIComponent(doc.tvc_id)}`),
    raw,
  };
}

/** Price of this account. The list price never stands in for it. */
function precioOfProducto({ product_flow_type: tipo, distributor_price: value }: Producto) {
  if (tipo?.toLowerCase() === 'proyecto') return { precio: null, sinPrecio: 'proyecto' as const };
  return precioOf(value, MONEDA);
}

/** Reads stock by warehouse when it is told; the total is used only otherwise. */
function existenciaOf({ inventory_detailed: detail, total_inventories: total }: Producto, leidaEn: Date): Existencia {
  const rows = Array.isArray(detail) ? (detail as unknown[]) : null;
  const almacenes = (rows ?? []).flatMap((row) => {
    const { data } = Almacen.safeParse(row);
    return data?.quantity == null ? [] : [{ almacen: data.warehouse_id, nombre: data.name, cantidad: data.quantity }];
  });
  const sum = rows && almacenes.reduce((all, { cantidad }) => all + cantidad, 0);
  return { total: sum ?? piezasOf(total), tope: false, almacenes, leidaEn };
}

const count = z.coerce.number().int().min(0).nullish().catch(null);

/** Answer with a page of products. */
export const Pagina = z.object({
  data: lista(z.unknown()),
  meta: z.object({ last_page: count, total: count }).nullish().catch(null),
});

/** Reads the rate of exchange: a bare number, or the only number in an object. */
export function tipoOfCambioOf(json: unknown): Money | null {
  const plain = importeOf(json);
  if (plain || typeof json !== 'object' || json === null) return plain;
  const inside = Object.values(json).flatMap((value) => tipoOfCambioOf(value) ?? []);
  return inside.length === 1 ? inside[0]! : null;
}
