import { z } from 'zod';
import { ESTADOS } from '~/domain/compras/stock/pieza';
import { createReadableStreamFromReadable } from '@remix-run/node';
import { actFromBodega, DESDE_BODEGA, readFoto } from '~/domain/compras/stock/bodega.server';
import { drawEtiquetas } from '~/domain/compras/stock/drawEtiquetas.server';
import { bindEtiqueta, createEtiquetas, etiquetasOf, MAX_ETIQUETAS } from '~/domain/compras/stock/etiquetas.server';
import { listEstados, readFacturaOfPieza, readPieza } from '~/domain/compras/stock/readPiezas.server';
import { stockInternoList } from '~/domain/compras/stock/listStock.server';
import {
  advanceEstado,
  changeEstado,
  createDevolucion,
  receiveFactura,
  savePieza,
  sellPieza,
  undoMovimiento,
} from '~/domain/compras/stock/piezas.server';
import {
  AdelantarEstado,
  DeshacerPieza,
  DevolucionForm,
  EtiquetasNuevas,
  LigarEtiqueta,
  PiezaEditada,
  VenderPieza,
} from '~/domain/compras/stock/forms';
import { download } from '~/http/download.server';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall, formOf } from '../form.server';
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

/** A piece whole: what its PUT takes back, and what happened to it. */
const Pieza = PiezaFila.extend({
  proveedor: z.string().nullable().meta({ description: 'La clave del proveedor.' }),
  folioFactura: z.string().nullable(),
  facturaNombre: z.string().nullable(),
  orden: z.uuid().nullable().meta({ description: 'La orden de la que regresó.' }),
  venta: z.uuid().nullable().meta({ description: 'La orden con la que salió.' }),
  producto: z.uuid().nullable(),
  movimientos: z.array(
    z.object({
      de: Estado.nullable(),
      a: Estado,
      en: Instante,
      detalle: z.string().nullable(),
      quien: z.string().nullable(),
      venta: z.string().nullable(),
    }),
  ),
  fotos: z.array(z.uuid()),
  etiquetas: z.array(z.string()),
  regresaA: Estado.nullable().meta({ description: 'A qué estado regresa «deshacer»; null cuando ya no se puede.' }),
});

async function piezaOf(db: Db | Trx, id: string) {
  const { ordenId: orden, ventaId: venta, productoId: producto, ...pieza } = await found(readPieza(db, id));
  return { ...pieza, orden, venta, producto, folioFactura: pieza.facturaFolio };
}

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
  etag: etagOfVersion,
  async commit(trx, { params: { id }, body: { estado }, version, usuario }) {
    await changeEstado(trx, { id, version, estado }, usuario.id);
    return found(readPieza(trx, id));
  },
});

/** What is on the shelf. */
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
    answer: Pieza,
    etag: etagOfVersion,
    run: (db, { params: { id } }) => piezaOf(db, id),
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
      costo: Pesos,
      recuperado: Pesos.nullish(),
      observaciones: z.string().max(2_000).nullish(),
      folioFactura: z.string().max(60).nullish(),
      estado: Estado,
      orden: z.string().max(40).nullish().meta({
        description:
          'La orden de la que regresó, por su id o su número. Sin ella se queda la que tenía; null la quita.',
      }),
      producto: z.uuid().nullish(),
      proveedor: z.string().max(20),
      eliminarFactura: z.boolean().optional(),
    }),
    answer: Pieza,
    etag: etagOfVersion,
    async run(db, { params: { id }, body: { eliminarFactura, ...body }, archivos, version, usuario }) {
      await piezaOf(db, id);
      const dicha = Object.fromEntries(Object.entries(body).filter(([, valor]) => valor !== null));
      const marcas = {
        ...(eliminarFactura && { eliminarFactura: '1' }),
        ...(body.orden === null && { conOrden: '1' }),
      };
      const recibida = await receiveFactura(
        formOf(PiezaEditada, { ...dicha, ...marcas, id, version, factura: archivos[0] }),
      );
      await db.transaction().execute((trx) => savePieza(trx, recibida, usuario.id));
      return piezaOf(db, id);
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
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/{id}/venta',
    resumen: 'Una pieza sale con una venta, por su número.',
    ...operar,
    conVersion: true,
    form: VenderPieza,
    de: { id: 'id' },
    answer: Pieza,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await piezaOf(trx, form.id);
      await sellPieza(trx, form, usuario.id);
      return piezaOf(trx, form.id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/{id}/deshacer',
    resumen: 'Deshace el último cambio de estado de una pieza.',
    ...operar,
    conVersion: true,
    form: DeshacerPieza,
    de: { id: 'id' },
    answer: Pieza,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await piezaOf(trx, form.id);
      await undoMovimiento(trx, form, usuario.id);
      return piezaOf(trx, form.id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/{id}/fotos',
    resumen: 'Agrega una fotografía a una pieza.',
    ...operar,
    status: 201,
    recibe: { campo: 'foto' },
    form: DESDE_BODEGA.foto,
    de: { id: 'id' },
    answer: Pieza,
    etag: etagOfVersion,
    async run(db, datos, { usuario, clave }) {
      await piezaOf(db, datos.id);
      await actFromBodega(db, { clave, que: 'foto', datos }, usuario.id);
      return piezaOf(db, datos.id);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/fotos/{id}',
    resumen: 'Una fotografía de una pieza.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    archivo: '*/*',
    params: ById,
    answer: z.string(),
    async run(db, { params: { id }, request }) {
      const archivo = await found(readFoto(db, id));
      return download(request, { archivo, nombre: id });
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/etiquetas',
    resumen: 'Crea una tirada de etiquetas en blanco.',
    ...operar,
    status: 201,
    form: EtiquetasNuevas,
    answer: z.object({ codigos: z.array(z.string()) }),
    commit: async (trx, form, { usuario }) => ({
      codigos: (await createEtiquetas(trx, form, usuario.id)).map(({ codigo }) => codigo),
    }),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/stock/etiquetas/{codigo}',
    resumen: 'Liga una etiqueta en blanco a la pieza de un folio.',
    ...operar,
    form: LigarEtiqueta,
    de: { codigo: 'codigo' },
    answer: z.object({ codigo: z.string(), folio: z.string() }),
    async commit(trx, form, { usuario }) {
      await bindEtiqueta(trx, form, usuario.id);
      return form;
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/stock/qr',
    resumen: 'Las etiquetas QR de unas piezas, en un PDF.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    soloLee: true,
    archivo: 'application/pdf',
    body: z.object({ piezas: z.array(z.uuid()).min(1).max(MAX_ETIQUETAS) }),
    answer: z.string(),
    async run(db, { body: { piezas } }) {
      await Promise.all(piezas.map((id) => found(readPieza(db, id))));
      const pdf = drawEtiquetas(await etiquetasOf(db, { piezas }), 'rollo50');
      return new Response(createReadableStreamFromReadable(pdf), {
        headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': 'attachment; filename="codigos-qr.pdf"' },
      });
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/stock/estados',
    resumen: 'Los estados del stock interno, en el orden en que se ofrecen.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno' },
    answer: z.array(Estado),
    run: (db) => listEstados(db),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/stock/estados/{estado}/adelanto',
    resumen: 'Ofrece un estado un lugar antes.',
    alcance: 'stock',
    acceso: { pantalla: 'stockInterno', derecho: 'stock.ordenar' },
    form: AdelantarEstado,
    de: { estado: 'estado' },
    answer: z.array(Estado),
    async commit(trx, { estado }, { usuario }) {
      await advanceEstado(trx, estado, usuario.id);
      return listEstados(trx);
    },
  }),
];
