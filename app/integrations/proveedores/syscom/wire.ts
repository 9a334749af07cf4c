import { z } from 'zod';
import { type Eleccion, type Existencia, type FacturaLeida, type Item } from '../cara';
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

/** Base of a product's relative links. */
const TIENDA = 'https://www.syscom.mx';

/** Highest stock that is told: 500 means 500 or more. */
const TOPE = 500;

const object = z.record(z.string(), z.unknown());
/** An object; Syscom writes an empty one as an empty list. */
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

/** Currency of the prices. They are asked for in dollars, which is also the default. */
const MONEDA = 'USD';

/** Reads a product. */
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

/** Reads stock. The total includes opened and used units, so only `nuevo` counts; without it the stock is unknown. */
function existenciaOf(existencia: Record<string, unknown>, leidaEn: Date): Existencia {
  const nuevo = piezasOf(existencia.nuevo);
  return { total: nuevo, tope: nuevo !== null && nuevo >= TOPE, almacenes: porSucursal(existencia.detalle), leidaEn };
}

const Sucursal = z.object({ codigo: clave, nombre_sucursal: texto, existencia: cualquiera });

/** Reads stock by branch. No captured answer has it; one integrator lists these shapes. Nothing is decided by it. */
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

/** Answer with a page of products. */
export const PaginaDeProductos = z.object({
  cantidad: count,
  paginas: count,
  productos: lista(z.unknown()),
});

const Categoria = z.object({ id: z.coerce.number().int().positive(), nivel: z.coerce.number().catch(0) });
export type Categoria = z.output<typeof Categoria>;

/** Answer with categories: the first level is a list, lower levels stand inside their category, whose key may have an accent. */
export const Categorias = cualquiera
  .transform((doc) => {
    if (Array.isArray(doc)) return doc as unknown;
    const one = object.safeParse(doc).data ?? {};
    return one.subcategorias ?? one['subcategorías'] ?? [];
  })
  .pipe(lista(Categoria));

/** Answer with the rate of exchange. */
export const TipoDeCambio = z.object({ normal: cualquiera, preferencial: cualquiera });

/** Answer to a login. */
export const TokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/** An invoice. */
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

/** Answer with a page of invoices. */
export const PaginaDeFacturas = z.object({ paginas: count, facturas: lista(z.unknown()) });

/** Answer with the lines of an invoice. */
export const DetalleDeFactura = z.looseObject({
  nom_guia: texto,
  productos: lista(z.looseObject({ producto_id: texto, cantidad: piezas })),
});

/** Returns an invoice in our words. */
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

/** Answer to a new order. After a success `error` is empty or missing. */
export const PedidoAnswer = z.looseObject({
  error: cualquiera,
  resumen: maybeObject,
  totales: maybeObject,
});

const Estado = z.looseObject({ codigo_estado: texto, estado_sat: texto });
/** Reads Syscom's code of the state of a postal code, from a bare list or one under a name; null for an unknown postal code. */
export const EstadosDeCp = z
  .union([z.object({ estado: lista(Estado) }).transform(({ estado }) => estado), lista(Estado)])
  .transform(([first]) => first?.codigo_estado ?? first?.estado_sat ?? null);

const dado = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * Ways of payment, each by its key, under a list or an object. A way that may be paid in one exhibition is chosen by its key alone; one that may be
 * paid later has `/ppd` after its key.
 */
export const MetodosDePago = lista(
  z.looseObject({ nombre: texto, metodo: lista(z.record(z.string(), z.unknown())) }),
).transform((rows) =>
  rows.flatMap(({ nombre, metodo }) =>
    metodo.flatMap(Object.entries<unknown>).flatMap(([key, one]): Eleccion[] => {
      const doc = dado(Array.isArray(one) ? one[0] : one);
      const titulo = texto.parse(doc.titulo) ?? nombre ?? key;
      const formas = Object.keys(dado(doc.forma)).map((forma) => forma.toLowerCase());
      return [
        ...(formas.length === 0 || formas.includes('pue') ? [{ clave: key, nombre: titulo }] : []),
        ...(formas.includes('ppd') ? [{ clave: `${key}/ppd`, nombre: `${titulo}, en parcialidades (PPD)` }] : []),
      ];
    }),
  ),
);

/** A list of codes with their names: carriers, uses of the CFDI. */
export const Codigos = lista(z.looseObject({ codigo: clave, nombre: texto })).transform((rows) =>
  rows.map(({ codigo, nombre }): Eleccion => ({ clave: codigo, nombre: nombre ?? codigo })),
);
