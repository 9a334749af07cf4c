import { z } from 'zod';
import { ESTADOS } from '~/domain/compras/stock/pieza';
import { readFacturaOfPieza, readPieza } from '~/domain/compras/stock/readPiezas.server';
import { stockInternoList } from '~/domain/compras/stock/listStock.server';
import { changeEstado, createDevolucion, receiveFactura, savePieza } from '~/domain/compras/stock/piezas.server';
import { DevolucionForm, PiezaEditada } from '~/domain/compras/stock/forms';
import { editNow } from '~/domain/publicaciones/publicaciones/editNow.server';
import { PublicacionEditada } from '~/domain/publicaciones/publicaciones/forms';
import { readPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { bringPublicacion } from '~/domain/publicaciones/publicaciones/bringPublicacion.server';
import { download } from '~/http/download.server';
import type { Db } from '~db/client.server';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import { MARKETS } from '~/core/market';
import { defineCall, type Call } from '../call.server';
import { etagOf } from '../etag';
import { formOf } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { Instante, Pesos } from '../wire';
import { ById } from './ordenes.server';

const Estado = z.enum(ESTADOS);

const PiezaFila = z.object({
  id: z.uuid(),
  folio: z.string(),
  estado: Estado,
  descripcion: z.string().nullable(),
  observaciones: z.string().nullable(),
  costo: Pesos,
  recuperado: Pesos,
  facturaFolio: z.string().nullable(),
  numOrden: z.string().nullable(),
  ventaNumOrden: z.string().nullable(),
  modelo: z.string().nullable(),
  productoNombre: z.string().nullable(),
  proveedorLabel: z.string().nullable(),
  creadaEn: Instante,
  version: z.int(),
});

const PublicacionFila = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  clave: z.string(),
  marketId: z.string().nullable(),
  sku: z.string().nullable(),
  titulo: z.string().nullable(),
  precio: Pesos.nullable(),
  stock: z.int().nullable(),
  vendido: z.int().nullable(),
  estatus: z.string(),
  subestatus: z.array(z.string()),
  problemas: z.array(z.string()),
  tipo: z.string().nullable(),
  link: z.string().nullable(),
  autoSync: z.boolean(),
  sobreventa: z.int(),
  productoId: z.uuid().nullable(),
  proveedor: z.string().nullable(),
  categoria: z.string().nullable(),
  fechaCreacion: Instante.nullable(),
});

const Publicacion = PublicacionFila.omit({ categoria: true }).extend({
  categoriaId: z.string().nullable(),
  version: z.int(),
  leidaEn: Instante.nullable(),
  ausenteDesde: Instante.nullable(),
  subtitulo: z.string().nullable(),
  precioPendiente: Pesos.nullable(),
  stockPendiente: z.int().nullable(),
  precioRetenido: Pesos.nullable(),
  errorPendiente: z.string().nullable(),
});
const publicacionOf = (db: Db, id: string) => found(readPublicacion(db, id));

const operar = { alcance: 'stock', acceso: { derecho: 'stock.operar' } } as const;
const datosDePieza = {
  costo: Pesos,
  recuperado: Pesos.optional(),
  observaciones: z.string().max(2_000).optional(),
  folioFactura: z.string().max(60).optional(),
};

/** What a token has to be allowed that moves a piece, whichever call moves it. */
export const moverPieza = defineCall({
  method: 'PATCH',
  path: '/api/v1/stock/{id}',
  resumen: 'Cambia el estado de una pieza.',
  alcance: 'stock',
  acceso: { derecho: 'stock.operar' },
  conVersion: true,
  params: ById,
  body: z.object({ estado: Estado }),
  answer: PiezaFila,
  etag: ({ version }) => etagOf(version),
  async commit(trx, { params: { id }, body: { estado }, version, usuario }) {
    await changeEstado(trx, { id, version, estado }, usuario.id);
    return found(readPieza(trx, id));
  },
});

/** What is on the shelf, and what is on sale. */
export const almacen: Call[] = [
  defineListCall({
    path: '/api/v1/stock',
    resumen: 'Las piezas del stock interno.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    list: stockInternoList,
    fila: PiezaFila,
    totales: { costo: Pesos },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/{id}',
    resumen: 'Una pieza del stock interno.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    params: ById,
    answer: PiezaFila,
    etag: ({ version }) => etagOf(version),
    run: (db, { params: { id } }) => found(readPieza(db, id)),
  }),
  moverPieza,
  defineCall({
    method: 'POST',
    path: '/api/v1/stock',
    resumen: 'Crea una devolución: tantas piezas, cada una con su folio.',
    ...operar,
    status: 201,
    recibe: { campo: 'factura', cuerpo: 'datos', opcional: true },
    body: z.object({
      ...datosDePieza,
      estado: Estado.optional(),
      orden: z.uuid().optional(),
      producto: z.uuid().optional(),
      descripcion: z.string().max(300).optional(),
      proveedor: z.string().max(20).optional(),
      cantidad: z.int().min(1).max(500),
    }),
    answer: z.object({ folios: z.array(z.string()) }),
    async run(db, { body, archivos, usuario, clave }) {
      const form = formOf(DevolucionForm, { ...body, clave, cantidad: String(body.cantidad), factura: archivos[0] });
      const recibida = await receiveFactura(form);
      return { folios: await db.transaction().execute((trx) => createDevolucion(trx, recibida, usuario.id)) };
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/stock/{id}',
    resumen: 'Cambia una pieza del stock interno.',
    ...operar,
    conVersion: true,
    recibe: { campo: 'factura', cuerpo: 'datos', opcional: true },
    params: ById,
    body: z.object({
      ...datosDePieza,
      estado: Estado,
      orden: z.string().max(40).optional().meta({ description: 'El número de la orden.' }),
      producto: z.uuid().optional(),
      proveedor: z.string().max(20),
      eliminarFactura: z.boolean().optional(),
    }),
    answer: PiezaFila,
    etag: ({ version }) => etagOf(version),
    async run(db, { params: { id }, body: { eliminarFactura, ...body }, archivos, version, usuario }) {
      await found(readPieza(db, id));
      const borrar = eliminarFactura && { eliminarFactura: '1' };
      const recibida = await receiveFactura(
        formOf(PiezaEditada, { ...body, ...borrar, id, version, factura: archivos[0] }),
      );
      await db.transaction().execute((trx) => savePieza(trx, recibida, usuario.id));
      return found(readPieza(db, id));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/{id}/factura',
    resumen: 'La factura de una pieza.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    archivo: 'application/pdf',
    params: ById,
    answer: z.string(),
    run: async (db, { params: { id }, request }) => download(request, await found(readFacturaOfPieza(db, id))),
  }),
  defineListCall({
    path: '/api/v1/publicaciones',
    resumen: 'Lo que está a la venta en los mercados.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones' },
    list: publicacionesList,
    fila: PublicacionFila,
    totales: { siguen: z.int() },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/publicaciones/{id}',
    resumen: 'Una publicación, con lo que espera decirse a su mercado.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones' },
    params: ById,
    answer: Publicacion,
    etag: ({ version }) => etagOf(version),
    run: (db, { params: { id } }) => publicacionOf(db, id),
  }),
  defineCall({
    method: 'PATCH',
    path: '/api/v1/publicaciones/{id}',
    resumen: 'Cambia una publicación en su mercado. «hecho» es falso mientras el mercado no contesta.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones', derecho: 'publicaciones.editar' },
    conVersion: true,
    status: 202,
    params: ById,
    body: z.object({
      titulo: z.string().max(200).optional(),
      precio: Pesos.optional(),
      stock: z.int().min(0).max(99_999).optional(),
      estatus: z.string().max(40).optional(),
      autoSync: z.boolean().optional(),
    }),
    answer: z.object({ hecho: z.boolean(), publicacion: Publicacion }),
    async run(db, { params: { id }, body, version, usuario }) {
      const antes = await publicacionOf(db, id);
      const editada = formOf(PublicacionEditada, {
        id,
        version,
        titulo: body.titulo ?? antes.titulo ?? undefined,
        precio: body.precio ?? antes.precio?.toFixed(2),
        stock: String(body.stock ?? antes.stock ?? ''),
        estatus: body.estatus ?? antes.estatus,
        autoSync: (body.autoSync ?? antes.autoSync) ? '1' : '0',
      });
      const hecho = await editNow(db, editada, usuario.id);
      return { hecho, publicacion: await publicacionOf(db, id) };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/publicaciones/{id}/lectura',
    resumen: 'Lee una publicación otra vez de su mercado.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones', derecho: 'publicaciones.leer' },
    params: ById,
    answer: Publicacion,
    etag: ({ version }) => etagOf(version),
    async run(db, { params: { id } }) {
      await bringPublicacion(db, id);
      return publicacionOf(db, id);
    },
  }),
];
