import { z } from 'zod';
import { Version } from '~/core/fields';
import type { Money } from '~/core/money';
import { fetchProducto } from '~/domain/compras/catalogo/buscador.server';
import { datosDeProductos } from '~/domain/compras/catalogo/datosDeProductos.server';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import { readProducto, saveProducto } from '~/domain/compras/catalogo/productos.server';
import { publicacionesOf } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { found } from '../problem.server';
import { Consulta, paginaOf, pageOf, sortOf } from './consulta';
import { Id, Instante, Numero, numero } from './shapes';

const productos = { pantalla: 'productos' } as const;
const texto = z.string().nullable();

export const Producto = z.object({
  _id: z.uuid(),
  nombre: z.string().nullable(),
  marca: z.string().nullable(),
  modeloFabricante: z.string().nullable(),
  modeloProveedor: z.string().nullable(),
  proveedor: z.string(),
  idProveedor: z.string(),
  stock: z.number().nullable(),
  precio: Numero.nullable().meta({ description: 'Pesos. Nulo mientras no se sabe el tipo de cambio.' }),
  precioProveedor: Numero.nullable().meta({ description: 'Lo que el proveedor dice, en su moneda.' }),
  moneda: z.string().nullable(),
  costoEnvio: Numero.nullable(),
  precioLista: Numero.nullable(),
  productoMaximo: z.int().nullable(),
  piezasVendidas: z.number(),
  autoOrden: z.boolean(),
  activo: z.boolean(),
  fechaCreacion: Instante,
  lastUpdate: Instante,
  idML: z.string().nullable().meta({ description: 'Su publicación en Mercado Libre.' }),
  gtin: z.array(z.string()),
  datos: z.object({ sku: texto, tvc_id: texto, link: texto }),
});

/** The sheet of a product that suppliers write differently: the number by which TVC knows it, and its page. */
export const datosOf = ({ proveedor, idProveedor, modelo, link }: DeProveedor) => ({
  sku: modelo,
  tvc_id: proveedor === 'tvc' ? idProveedor : null,
  link,
});
type DeProveedor = { proveedor: string; idProveedor: string; modelo: string | null; link: string | null };
type Leido = {
  id: string;
  modelo: string | null;
  existencia: number | null;
  gtins: string[];
  proveedor: string;
  idProveedor: string;
  enVenta: boolean;
  precio: Money | null;
  moneda: string | null;
  tipoCambio: Money | null;
  costoEnvio: Money | null;
  precioLista: Money | null;
};

/** A supplier's price in pesos, at that supplier's own rate; null while the rate is not known. */
export function enPesos(precio: Money | null, moneda: string | null, tipoCambio: Money | null): Money | null {
  if (precio === null || moneda === null || moneda === 'MXN') return precio;
  return tipoCambio && precio.by(tipoCambio);
}

/** Products as the old client reads them. */
export async function productosOf<T extends Leido>(db: Db | Trx, filas: readonly T[]) {
  const ids = filas.map(({ id }) => id);
  const [datos, suyas] = await Promise.all([datosDeProductos(db, ids), publicacionesOf(db, ids)]);
  return filas.map(({ id, modelo, existencia, gtins, precio, ...rest }) => {
    const { productoMaximo, creadoEn, actualizadoEn, link } = datos.get(id)!;
    return {
      ...rest,
      _id: id,
      modeloProveedor: modelo,
      stock: existencia,
      gtin: gtins,
      precio: numero(enPesos(precio, rest.moneda, rest.tipoCambio)),
      precioProveedor: numero(precio),
      costoEnvio: numero(rest.costoEnvio),
      precioLista: numero(rest.precioLista),
      productoMaximo,
      activo: rest.enVenta,
      fechaCreacion: creadoEn,
      lastUpdate: actualizadoEn,
      idML: suyas.find((una) => una.productoId === id && una.market === 'ml')?.marketId ?? null,
      datos: datosOf({ ...rest, modelo, link }),
    };
  });
}

async function productoOf(db: Db | Trx, id: string) {
  const [producto] = await productosOf(db, [await found(readProducto(db, id, { conOrdenes: false }))]);
  return producto!;
}

/** Fields of the old client by which products are sorted here. */
const ORDEN = { piezasVendidas: 'vendidas', stock: 'existencia', fechaCreacion: 'alta', dateCreated: 'alta' };

const paginado = (path: string, resumen: string) =>
  defineCall({
    method: 'GET',
    path,
    resumen,
    alcance: 'productos',
    acceso: productos,
    query: z.object({ query: Consulta.optional(), filtro: z.string().max(200).optional() }),
    answer: paginaOf(Producto),
    async run(db, { query: { query, filtro: escrito }, usuario }) {
      const { page = 1, limit = 101, filtro = escrito ?? '', proveedor, ordenar } = query ?? {};
      const orden = sortOf(ORDEN, ordenar, '-vendidas');
      const search = { q: filtro.replace(/ \.\.\.$/, ''), orden, ...(proveedor && { proveedor }) };
      const { filas, pagina } = await pageOf(db, productosList, search, { page, limit }, usuario);
      return { docs: await productosOf(db, filas), ...pagina };
    },
  });

export const productosAnteriores: Call[] = [
  paginado('/api/productos', 'Los productos, por páginas.'),
  paginado('/api/productoFiltrado', 'Los productos que se buscan, por páginas.'),
  defineCall({
    method: 'GET',
    path: '/api/producto/{id}',
    resumen: 'Un producto.',
    alcance: 'productos',
    acceso: productos,
    params: Id,
    answer: Producto,
    run: (db, { params: { id } }) => productoOf(db, id),
  }),
  defineCall({
    method: 'PUT',
    path: '/api/producto/{id}',
    resumen: 'Cambia lo propio de un producto.',
    alcance: 'productos',
    acceso: { pantalla: 'productos', derecho: 'productos.editar' },
    params: Id,
    body: z.object({
      productoMaximo: z.number().int().min(1).max(9_999).nullable().optional(),
      costoEnvio: z.number().min(0).max(9_999_999.99).nullable().optional(),
      precioLista: z.number().min(0.01).max(9_999_999.99).nullable().optional(),
      autoOrden: z.boolean().optional(),
      version: Version.optional(),
    }),
    answer: Producto,
    async commit(trx, { params: { id }, body: { version, ...cambio }, usuario }) {
      const before = await found(readProducto(trx, id, { conOrdenes: false }));
      const pesos = (escrito: number | null | undefined, antes: { toFixed(decimals: 2): string } | null) =>
        escrito === undefined ? (antes?.toFixed(2) ?? null) : escrito === null ? null : escrito.toFixed(2);
      await saveProducto(
        trx,
        {
          id,
          version: version ?? before.version,
          productoMaximo: cambio.productoMaximo === undefined ? before.productoMaximo : cambio.productoMaximo,
          costoEnvio: pesos(cambio.costoEnvio, before.costoEnvio),
          precioLista: pesos(cambio.precioLista, before.precioLista),
          autoOrden: cambio.autoOrden ?? before.autoOrden,
        },
        usuario.id,
      );
      return productoOf(trx, id);
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/producto/update/{id}',
    resumen: 'Lee un producto otra vez de su proveedor.',
    alcance: 'productos',
    acceso: { pantalla: 'productos', derecho: 'productos.leer' },
    porGet: true,
    params: Id,
    answer: Producto,
    async run(db, { params: { id } }) {
      const { proveedor, idProveedor } = await found(readProducto(db, id, { conOrdenes: false }));
      const leido = await fetchProducto(db, { proveedor, idProveedor });
      return productoOf(db, leido);
    },
  }),
];
