import { z } from 'zod';
import { tableOf } from '~/core/table';
import { instantOf, isCivilDay, readEnd } from '~/core/time';
import type { EstadoPedido, Existencia, Item, Promocion } from '../cara';
import {
  clave,
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
import { ALMACENES, HOMOCLAVES } from './almacenes';

const object = z.record(z.string(), z.unknown());

/** Answer to a login. */
export const TokenAnswer = z.object({ token: z.string().min(1) });

const codigo = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);

const end = (end: 'from' | 'to') => texto.transform((text) => (text === null ? null : readEnd(text, end)));

const PromocionDeAlmacen = z.object({
  precio: cualquiera,
  porciento: cualquiera,
  vigente: z.object({ ini: end('from'), fin: end('to') }),
});

/** A product of the API. */
export const Producto = z.looseObject({
  codigo: clave,
  precio: cualquiera,
  moneda: cualquiera,
  almacenes: lista(object),
});

/** Reads a product of the API. */
export function itemOf(raw: unknown, leidaEn: Date): Item {
  const doc = Producto.parse(raw);
  const moneda = monedaOf(doc.moneda);
  const price = precioOf(doc.precio, moneda);
  const rows = doc.almacenes.map(({ promocion, ...stock }) => ({ promocion, stock: Object.entries(stock) }));
  return {
    idProveedor: doc.codigo,
    modelo: doc.codigo,
    modeloFabricante: null,
    nombre: null,
    marca: null,
    gtins: [],
    claveSat: null,
    ...price,
    promociones: rows.flatMap(({ promocion, stock: [first] }) => {
      const one = first && price.precio && promocionOf(promocion, first[0], price.precio);
      return one ? [one] : [];
    }),
    tipoCambio: null,
    enVenta: true,
    existencia: existenciaOf(Object.fromEntries(rows.flatMap(({ stock }) => stock)), leidaEn),
    imagenes: [],
    link: enlaceOf(`https://ctonline.mx/buscar/productos?b=${encodeURIComponent(doc.codigo)}`),
    raw,
  };
}

const DeArchivo = z.looseObject({
  clave,
  numParte: texto,
  modelo: texto,
  nombre: texto,
  descripcion_corta: texto,
  marca: texto,
  activo: cualquiera,
  existencia: object.catch({}),
  promociones: lista(z.unknown()),
});

/** Reads a product of CT's file, which has names, and other keys for the warehouses. */
export function itemOfArchivo(raw: unknown, leidaEn: Date): Item {
  const doc = DeArchivo.parse(raw);
  const moneda = monedaOf(doc.moneda);
  const price = precioOf(doc.precio, moneda);
  const porAlmacen = Object.entries(doc.existencia).map(([name, value]) => [HOMOCLAVES[name] ?? name, value]);
  return {
    idProveedor: doc.clave,
    modelo: doc.modelo ?? doc.numParte ?? doc.clave,
    modeloFabricante: doc.numParte ?? doc.modelo,
    nombre: doc.descripcion_corta ?? doc.nombre,
    marca: doc.marca,
    gtins: gtinsOf(doc.upc, doc.ean),
    claveSat: null,
    ...price,
    promociones: doc.promociones.flatMap((one) => (price.precio && promocionOfArchivo(one, price.precio)) ?? []),
    // A rate beside a price in pesos is always one.
    tipoCambio: moneda === 'USD' ? importeOf(doc.tipoCambio) : null,
    enVenta: ![0, '0', false].includes(doc.activo as number),
    existencia: existenciaOf(Object.fromEntries(porAlmacen) as Record<string, unknown>, leidaEn),
    imagenes: [enlaceOf(doc.imagen)].filter((one) => one !== null),
    link: enlaceOf(`https://ctonline.mx/buscar/productos?b=${encodeURIComponent(doc.clave)}`),
    raw,
  };
}

const local = texto.transform((text) => {
  const [dia, hora = '00:00:00'] = (text ?? '').split(/[ T]/);
  return dia && isCivilDay(dia) && /^\d{2}:\d{2}:\d{2}$/.test(hora)
    ? instantOf(`${dia}T${hora}`, 'America/Mexico_City')
    : null;
});

const PromocionDeArchivo = z.object({
  tipo: texto,
  promocion: cualquiera,
  vigencia: z.object({ inicio: local, fin: local }),
});

/** A promotion for all warehouses. Only an amount counts, since the meaning of other kinds is unknown. */
function promocionOfArchivo(raw: unknown, precio: NonNullable<Item['precio']>): Promocion | null {
  const { data } = PromocionDeArchivo.safeParse(raw);
  const importe = importeOf(data?.promocion);
  if (data?.tipo !== 'importe' || !data.vigencia.inicio || !data.vigencia.fin || !importe || importe.isZero())
    return null;
  return {
    importe,
    moneda: precio.moneda,
    almacen: null,
    desde: data.vigencia.inicio,
    hasta: data.vigencia.fin,
    piezas: null,
  };
}

/** A promotion of one warehouse, within its dates. A percentage stands in for a missing price. Without readable dates it does not count. */
function promocionOf(raw: unknown, almacen: string, precio: NonNullable<Item['precio']>): Promocion | null {
  const { data } = PromocionDeAlmacen.safeParse(raw);
  if (!data?.vigente.ini || !data.vigente.fin) return null;
  const [told, share] = [importeOf(data.precio), importeOf(data.porciento)];
  const hundredths = share ? Number(share.micros / 10_000n) : 0;
  const importe =
    told && !told.isZero()
      ? told
      : hundredths > 0 && hundredths < 10_000
        ? precio.importe.times(10_000 - hundredths).dividedBy(10_000)
        : null;
  return (
    importe && {
      importe,
      moneda: precio.moneda,
      almacen,
      desde: data.vigente.ini,
      hasta: data.vigente.fin,
      piezas: null,
    }
  );
}

/** Reads stock by warehouse: a number, or an object with one. An unknown warehouse is kept. */
export function existenciaOf(porAlmacen: Record<string, unknown>, leidaEn: Date): Existencia {
  const almacenes = Object.entries(porAlmacen).flatMap(([almacen, value]) => {
    const cantidad = piezasOf(object.safeParse(value).data?.existencia ?? value);
    return cantidad === null ? [] : [{ almacen, nombre: ALMACENES[almacen] ?? null, cantidad }];
  });
  return {
    total: almacenes.length === 0 ? null : almacenes.reduce((sum, { cantidad }) => sum + cantidad, 0),
    tope: false,
    almacenes,
    leidaEn,
  };
}

/** Stock by warehouse, not read yet. */
export const PorAlmacen = object;

/** Answer with the rate of exchange. */
export const TipoDeCambio = z.object({ tipoCambio: cualquiera });

/** Answer with the state of an order. */
export const Estatus = unoOf(z.looseObject({ status: texto, uuid: texto, folioFactura: texto, factura: texto }));

const Respuesta = unoOf(
  z.looseObject({
    pedidoWeb: texto,
    estatus: texto,
    folioFactura: texto,
    fecha: end('from'),
    errores: lista(z.unknown()),
  }),
);

/** An order as create, detail and list tell it. Order and answer come alone or as a list. */
export const Pedido = unoOf(z.looseObject({ respuestaCT: Respuesta }));

/** A row of the list of orders. Rows without our number come from other programs of the same account. */
export const PedidoListado = z.looseObject({
  idPedido: texto,
  producto: lista(z.looseObject({ clave: texto, cantidad: piezas })),
  respuestaCT: Respuesta,
});

/** Answer that says whether something was done. */
export const Hecho = unoOf(z.object({ okCode: codigo }));

const ESTADOS: Readonly<Record<string, EstadoPedido>> = tableOf({
  pendiente: 'solicitado',
  confirmado: 'confirmado',
  facturado: 'facturado',
});

/** Returns the state that a word means. CT publishes no list of its words; an unknown one is null. */
export function estadoOf(word: string): EstadoPedido | null {
  if (/cancel/i.test(word)) return 'cancelado';
  return ESTADOS[word.toLowerCase()] ?? null;
}
