import { z } from 'zod';
import { ESTADOS } from '~/domain/stock/estado';
import { readPieza } from '~/domain/stock/leerPieza.server';
import { stockInternoList } from '~/domain/stock/listStock.server';
import { cambiarEstado } from '~/domain/stock/piezas.server';
import { publicacionesList } from '~/domain/publicaciones/listPublicaciones.server';
import { MARKETS } from '~/core/market';
import { defineCall, type Call } from '../call.server';
import { etagOf } from '../etag';
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
    await cambiarEstado(trx, { id, version, estado }, usuario.id);
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
  defineListCall({
    path: '/api/v1/publicaciones',
    resumen: 'Lo que está a la venta en los mercados.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones' },
    list: publicacionesList,
    fila: PublicacionFila,
    totales: { siguen: z.int() },
  }),
];
