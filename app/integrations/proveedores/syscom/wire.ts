import { z } from 'zod';
import { type Existencia, type FacturaLeida, type Item } from '../cara';
import {
  clave,
  claveSatOf,
  cualquiera,
  enlaceOf,
  importeOf,
  lista,
  monedaOf,
  piezas,
  piezasOf,
  precioOf,
  texto,
} from '../leer';

/** Where relative links of a product lead. */
const TIENDA = 'https://www.syscom.mx';

/** Stock is told up to this many: 500 is 'so many or more'. */
const TOPE = 500;

const object = z.record(z.string(), z.unknown());
/** An empty object is written as an empty list. */
const maybeObject = cualquiera.transform((value) => object.safeParse(value).data ?? {});

const Producto = z.looseObject({
  producto_id: clave,
  modelo: texto,
  titulo: texto,
  marca: texto,
  nota: texto,
  proyecto: cualquiera,
  precios: maybeObject,
  existencia: maybeObject,
});

/** Asked for in dollars, and read as dollars: its own default. */
const MONEDA = 'USD';

export function itemOf(raw: unknown, leidaEn: Date): Item {
  const doc = Producto.parse(raw);
  return {
    idProveedor: doc.producto_id,
    modelo: doc.modelo,
    modeloFabricante: doc.modelo,
    nombre: doc.titulo,
    marca: doc.marca,
    gtins: [],
    claveSat: claveSatOf(doc.sat_key),
    ...precioOfProducto(doc),
    promociones: [],
    tipoCambio: null,
    enVenta: true,
    existencia: existenciaOf(doc.existencia, leidaEn),
    imagenes: imagenesOf(doc),
    link: enlaceOf(doc.link, TIENDA),
    raw,
  };
}

function precioOfProducto({ precios, nota, proyecto }: z.output<typeof Producto>) {
  if (proyecto === true) return { precio: null, sinPrecio: 'proyecto' as const };
  const value = precios.precio_descuento ?? precios.precio_descuentos;
  if (Object.keys(precios).length === 0 || (value === undefined && nota !== null))
    return { precio: null, sinPrecio: 'sinDistribucion' as const };
  return precioOf(value, MONEDA);
}

/** Its total counts opened and used units too, so only `nuevo` counts. Without it, how many there are is unknown. */
function existenciaOf(existencia: Record<string, unknown>, leidaEn: Date): Existencia {
  const nuevo = piezasOf(existencia.nuevo);
  return { total: nuevo, tope: nuevo !== null && nuevo >= TOPE, almacenes: porSucursal(existencia.detalle), leidaEn };
}

const Sucursal = z.object({ codigo: clave, nombre_sucursal: texto, existencia: cualquiera });

/** By branch it was never seen in a captured answer; one integrator lists these shapes. It is information only. */
function porSucursal(detalle: unknown): Existencia['almacenes'] {
  if (Array.isArray(detalle))
    return detalle.flatMap((row) => {
      const read = Sucursal.safeParse(row);
      const cantidad = piezasOf(read.data?.existencia);
      return read.success && cantidad !== null
        ? [{ almacen: read.data.codigo, nombre: read.data.nombre_sucursal, cantidad }]
        : [];
    });
  return Object.entries(object.safeParse(detalle).data ?? {}).flatMap(([almacen, value]) => {
    const cantidad = piezasOf(object.safeParse(value).data?.nuevo ?? value);
    return cantidad === null ? [] : [{ almacen, nombre: null, cantidad }];
  });
}

const Imagen = z.object({ imagen: z.string().optional(), url: z.string().optional(), orden: cualquiera });

function imagenesOf(doc: z.output<typeof Producto>): string[] {
  const more = lista(Imagen)
    .safeParse(doc.imagenes ?? doc['imágenes'])
    .data?.toSorted((a, b) => Number(a.orden) - Number(b.orden));
  const links = [doc.img_portada, ...(more ?? []).map(({ imagen, url }) => imagen ?? url)];
  return [...new Set(links.flatMap((link) => enlaceOf(link) ?? []))];
}

const count = z.coerce.number().int().min(0).catch(0);

export const PaginaDeProductos = z.object({
  cantidad: count,
  paginas: count,
  productos: lista(z.unknown()),
});

const Categoria = z.object({ id: z.coerce.number().int().positive(), nivel: z.coerce.number().catch(0) });
export type Categoria = z.output<typeof Categoria>;

/** The first level as a list, and the rest inside the category they belong to, whose key may have an accent. */
export const Categorias = cualquiera
  .transform((doc) => {
    if (Array.isArray(doc)) return doc as unknown;
    const one = object.safeParse(doc).data ?? {};
    return one.subcategorias ?? one['subcategorías'] ?? [];
  })
  .pipe(lista(Categoria));

export const TipoDeCambio = z.object({ normal: cualquiera, preferencial: cualquiera });

export const TokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

export const Factura = z.looseObject({
  folio_factura: clave,
  folio_pedido: texto,
  fecha: texto,
  total: cualquiera,
  moneda: texto,
  uuid: texto,
  estatus_fiscal: texto,
  nom_guia: texto,
});
export type Factura = z.output<typeof Factura>;

export const PaginaDeFacturas = z.object({ paginas: count, facturas: lista(z.unknown()) });

export const DetalleDeFactura = z.looseObject({
  nom_guia: texto,
  productos: lista(z.looseObject({ producto_id: texto, cantidad: piezas })),
});

export function facturaOf(doc: Factura, guia: string | null): FacturaLeida {
  const [importe, moneda] = [importeOf(doc.total), monedaOf(doc.moneda)];
  return {
    folio: doc.folio_factura,
    fecha: doc.fecha,
    total: importe && moneda && { importe, moneda },
    uuid: doc.uuid,
    guia,
    raw: doc,
  };
}

/** What a new order is answered with. `error` is there and empty where it went well, or not there at all. */
export const PedidoAnswer = z.looseObject({
  error: cualquiera,
  resumen: maybeObject,
  totales: maybeObject,
});

const Estado = z.looseObject({ codigo_estado: texto, estado_sat: texto });
/** The code of the state of a postal code; the list is bare, or under a name. null where it is in none. */
export const EstadosDeCp = z
  .union([z.object({ estado: lista(Estado) }).transform(({ estado }) => estado), lista(Estado)])
  .transform(([first]) => first?.codigo_estado ?? first?.estado_sat ?? null);
