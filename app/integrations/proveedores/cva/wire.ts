import { z } from 'zod';
import { civilDay, isCivilDay, instantOf } from '~/core/time';
import type { Eleccion, EnAlmacen, EstadoPedido, Existencia, Item, Precio, Promocion } from '../cara';
import {
  clave,
  claveSatOf,
  cualquiera,
  enlaceOf,
  gtinsOf,
  importeOf,
  lista,
  monedaOf,
  piezas,
  piezasOf,
  precioOf,
  texto,
  unoOf,
} from '../leer';

/** Answer to a login. */
export const TokenAnswer = z.object({
  token: z.string().min(1),
  usuario: z.object({ clave_cliente: texto }).catch({ clave_cliente: null }),
});

const ZONA = 'America/Mexico_City';

const Promociones = z.object({
  precio_descuento: cualquiera,
  moneda_precio_descuento: cualquiera,
  promocion_vencimiento: texto,
  disponible_en_promocion: cualquiera,
});

const Sucursal = z.object({ clave: clave.optional().catch(undefined), nombre: texto, disponible: piezas });

const Producto = z.looseObject({
  clave,
  codigo_fabricante: texto,
  descripcion: texto,
  marca: texto,
  precio: cualquiera,
  moneda: cualquiera,
  imagen: cualquiera,
  imagenes: lista(z.unknown()),
  sat_info: z.object({ clave: cualquiera }).nullish().catch(null),
});

/** Reads a product. */
export function itemOf(raw: unknown, leidaEn: Date): Item {
  const doc = Producto.parse(raw);
  return {
    idProveedor: doc.clave,
    modelo: doc.codigo_fabricante,
    modeloFabricante: doc.codigo_fabricante,
    nombre: doc.descripcion,
    marca: doc.marca,
    gtins: gtinsOf(doc.upc),
    claveSat: claveSatOf(doc.sat_info?.clave),
    ...precioOf(doc.precio, monedaOf(doc.moneda)),
    ...((doc.moneda ?? '') === '' && { callaMoneda: true }),
    promociones: [...promocionesOf(doc.promociones), ...ofertaOf(doc.promocion, leidaEn)],
    tipoCambio: importeOf(doc.tipo_cambio),
    enVenta: true,
    existencia: existenciaOf(doc, leidaEn),
    imagenes: [...new Set([doc.imagen, ...doc.imagenes].flatMap((one) => enlaceOf(one) ?? []))],
    link: null,
    raw,
  };
}

/** A promotion ends with its last day or its last piece. One without a readable end does not count. */
function promocionesOf(raw: unknown): Promocion[] {
  const { data } = Promociones.safeParse(raw);
  const dia = diaOf(data?.promocion_vencimiento);
  const { precio } = precioOf(data?.precio_descuento, monedaOf(data?.moneda_precio_descuento));
  if (!data || !dia || !precio) return [];
  return [
    {
      ...precio,
      almacen: null,
      desde: null,
      hasta: instantOf(`${dia}T23:59:59`, ZONA),
      piezas: piezasOf(data.disponible_en_promocion),
    },
  ];
}

const Oferta = z.object({ precio: cualquiera, moneda: cualquiera });

/** A promotion of the list of stock tells no end, so it counts for the day on which it was read. */
function ofertaOf(raw: unknown, leidaEn: Date): Promocion[] {
  const { data } = Oferta.safeParse(raw);
  const { precio } = precioOf(data?.precio, monedaOf(data?.moneda));
  if (!precio) return [];
  const hasta = instantOf(`${civilDay(leidaEn, ZONA)}T23:59:59`, ZONA);
  return [{ ...precio, almacen: null, desde: null, hasta, piezas: null }];
}

/** Stock by branch, under one of two names, where a row of totals is left out. Without branches: the own branch and the distribution centre. */
function existenciaOf(doc: Record<string, unknown>, leidaEn: Date): Existencia {
  const rows = doc.inventario ?? doc.disponibilidad_sucursales;
  const almacenes = lista(Sucursal.catch({ clave: undefined, nombre: null, disponible: null }))
    .parse(rows)
    .flatMap(({ clave: key, nombre, disponible }): EnAlmacen[] => {
      const almacen = key ?? nombre;
      if (almacen === null || disponible === null || nombre?.toUpperCase() === 'TOTAL') return [];
      return [{ almacen, nombre, cantidad: disponible }];
    });
  const parts = Array.isArray(rows)
    ? almacenes.map(({ cantidad }) => cantidad)
    : [doc.disponible, doc.disponibleCD].flatMap((value) => piezasOf(value) ?? []);
  const isKnown = Array.isArray(rows) || parts.length > 0;
  return { total: isKnown ? parts.reduce((all, one) => all + one, 0) : null, tope: false, almacenes, leidaEn };
}

/** Reads 'dd/mm/aaaa', with or without an hour, as a civil day; null for anything else. */
export function diaOf(value: string | null | undefined): string | null {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})\b/.exec(value ?? '') ?? [];
  const text = `${year}-${month}-${day}`;
  return isCivilDay(text) ? text : null;
}

const count = z.coerce.number().int().min(0).catch(0);
const Pagina = z.object({
  articulos: lista(z.unknown()),
  paginacion: z.object({ total_paginas: count }).nullish().catch(null),
});

/** Reads the answer to a question for products: a list, or one product by itself. `paginas` is null when it is not told. */
export function articulosOf(json: unknown): { articulos: unknown[]; paginas: number | null } {
  const isList = typeof json === 'object' && json !== null && 'articulos' in json;
  if (!isList) return { articulos: json === null ? [] : [json], paginas: null };
  const { articulos, paginacion } = Pagina.parse(json);
  return { articulos, paginas: paginacion?.total_paginas ?? null };
}

/** Answer with an order. */
export const PedidoLeido = z.object({
  pedido: unoOf(
    z.looseObject({
      estatus: texto,
      factura: texto,
      guia: texto,
      num_oc: texto,
      fecha_pedido: texto,
      total: cualquiera,
      moneda: cualquiera,
      productos: lista(z.looseObject({ clave: texto, cantidad: piezas })),
    }),
  ),
});

/** The orders of one reference: their folios, or rows with them. */
export const PedidosDeOrden = z.object({
  pedidos: lista(z.union([clave, z.looseObject({ Numero: clave }).transform(({ Numero }) => Numero)])),
});

/** Answer with an invoice. */
export const FacturaConsultada = z.object({
  factura: unoOf(z.looseObject({ total: cualquiera, moneda: cualquiera, fecha_factura: texto, guia: texto })),
});

/** The branches at which an order can be made. */
export const Sucursales = z.object({
  sucursales: lista(z.looseObject({ clave, nombre: texto })).transform((rows) =>
    rows.map(({ clave: key, nombre }): Eleccion => ({ clave: key, nombre: nombre ?? key })),
  ),
});

/** Answer to a new order. */
export const Hecho = z.looseObject({
  pedido: texto,
  total: cualquiera,
  moneda: cualquiera,
  email_agente: texto,
  email_almacen: texto,
  action: texto,
});

/** Answer to a label. */
export const GuiaHecha = z.object({ status: texto, error: texto, result: cualquiera });

/** Reads a total with the word for its currency, of which CVA has several; null when either cannot be read. */
export function totalOf(value: unknown, word: unknown): Precio | null {
  const [importe, moneda] = [importeOf(value), monedaOf(word)];
  return importe && moneda && { importe, moneda };
}

/**
 * Returns the state that an order's word and invoice mean. CVA's word for invoiced is known, and one for not yet; a folio of an invoice means
 * invoiced too.
 */
export function estadoOf(word: string | null, factura: string | null): EstadoPedido | null {
  if (/cancel/i.test(word ?? '')) return 'cancelado';
  if (factura !== null || word?.toUpperCase() === 'FACTURADO') return 'facturado';
  return word?.toUpperCase() === 'INCOMPLETO' ? 'solicitado' : null;
}
