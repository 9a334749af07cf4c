import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { ordenesCtList, porConfirmarList, readPedidoFila } from '~/domain/compras/pedidos/listPedidos.server';
import { cancelPedido, discardPedido, noteFolio, resendCorreo } from '~/domain/compras/pedidos/pedidos.server';
import { FolioDePedido, HacerPedido, PedidoCancelado, UnPedido } from '~/domain/compras/pedidos/forms';
import { ESTADOS } from '~/domain/compras/pedidos/pedido';
import {
  confirmWithGuardias,
  ERROR_CREAR,
  placePedido,
  rereadPedido,
} from '~/domain/compras/pedidos/placePedido.server';
import { Texto } from '~/core/fields';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { Instante, Pesos } from '../wire';
import { NotAllowed } from '~/core/errors';
import type { Db, Trx } from '~db/client.server';
import { ById } from './ordenes.server';

export const PedidoFila = z.object({
  id: z.uuid(),
  folio: z.string(),
  version: z.int(),
  proveedor: z.string(),
  proveedorLabel: z.string(),
  estado: z.enum(ESTADOS),
  via: z.string(),
  folioProveedor: z.string().nullable(),
  facturaFolio: z.string().nullable(),
  creadoEn: Instante,
  venceEn: Instante.nullable(),
  ordenId: z.uuid(),
  market: z.enum(MARKETS),
  numOrden: z.string(),
  titulo: z.string(),
  facturaCliente: z.string().nullable(),
  pagado: Pesos,
  costo: Pesos.nullable(),
  lineas: z.array(
    z.object({
      modelo: z.string(),
      cantidad: z.int(),
      precio: z.string().nullable(),
      moneda: z.string().nullable(),
    }),
  ),
});
const operarPedidos = { alcance: 'pedidos', acceso: { derecho: 'pedidos.operar' } } as const;
const pedidoOf = (db: Db | Trx, id: string) => found(readPedidoFila(db, id));

/** Orders to suppliers, from the press to the folio. */
export const pedidos: Call[] = [
  defineListCall({
    path: '/api/v1/pedidos/por-confirmar',
    resumen: 'Lo vendido que espera comprarse.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar' },
    list: porConfirmarList,
    fila: PedidoFila,
  }),
  defineListCall({
    path: '/api/v1/pedidos/ct',
    resumen: 'Los pedidos a CT.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesCT' },
    list: ordenesCtList,
    fila: PedidoFila,
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/pedidos/{id}',
    resumen: 'Un pedido a un proveedor.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar' },
    params: ById,
    answer: PedidoFila,
    etag: etagOfVersion,
    run: (db, { params: { id } }) => found(readPedidoFila(db, id)),
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/pedidos/{id}',
    resumen: 'Quita de la lista un pedido que no se hizo.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar', derecho: 'pedidos.operar' },
    conVersion: true,
    params: ById,
    answer: ById,
    async commit(trx, { params: { id }, version, usuario }) {
      await discardPedido(trx, { id, version }, usuario.id);
      return { id };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/pedidos/{id}/confirmacion',
    resumen: 'Confirma un pedido, por lo que costaba cuando se leyó.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar', derecho: 'pedidos.operar' },
    conVersion: true,
    status: 202,
    params: ById,
    body: z.object({
      costo: Pesos.nullable().meta({ description: 'El que se leyó.' }),
      motivo: Texto(300).nullable().default(null),
    }),
    answer: PedidoFila,
    etag: etagOfVersion,
    async run(db, { params: { id }, body: { costo, motivo }, version, usuario }) {
      await found(readPedidoFila(db, id));
      await confirmWithGuardias(db, { pedido: id, version, motivo, costo }, usuario);
      return found(readPedidoFila(db, id));
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pedidos',
    resumen: 'Hace el pedido de una venta a uno de sus proveedores; el que ya tenía se responde igual.',
    ...operarPedidos,
    status: 202,
    form: HacerPedido,
    answer: PedidoFila,
    etag: etagOfVersion,
    async run(db, form, { usuario }) {
      const { id } = await placePedido(db, form, usuario);
      return pedidoOf(db, id);
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/pedidos/{id}/lectura',
    resumen: 'Lee otra vez lo que cuesta un pedido y lo que hay.',
    ...operarPedidos,
    params: ById,
    answer: PedidoFila,
    etag: etagOfVersion,
    async run(db, { params: { id } }) {
      await pedidoOf(db, id);
      const [falla] = (await rereadPedido(db, id)).values();
      if (falla !== undefined) throw new NotAllowed(ERROR_CREAR, falla);
      return pedidoOf(db, id);
    },
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/pedidos/{id}/folio',
    resumen: 'El folio que el proveedor dio a un pedido.',
    ...operarPedidos,
    conVersion: true,
    form: FolioDePedido,
    de: { pedido: 'id' },
    answer: PedidoFila,
    etag: etagOfVersion,
    async commit(trx, { pedido: id, ...form }, { usuario }) {
      await noteFolio(trx, { id, ...form }, usuario.id);
      return pedidoOf(trx, id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pedidos/{id}/cancelacion',
    resumen: 'Un pedido que su proveedor ya aceptó cancelar.',
    ...operarPedidos,
    conVersion: true,
    form: PedidoCancelado,
    de: { pedido: 'id' },
    answer: PedidoFila,
    etag: etagOfVersion,
    async commit(trx, { pedido: id, ...form }, { usuario }) {
      await cancelPedido(trx, { id, ...form }, usuario.id);
      return pedidoOf(trx, id);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pedidos/{id}/correo',
    resumen: 'Manda otra vez el correo de un pedido.',
    ...operarPedidos,
    conVersion: true,
    status: 202,
    form: UnPedido,
    de: { pedido: 'id' },
    answer: PedidoFila,
    etag: etagOfVersion,
    async commit(trx, { pedido: id, version }, { usuario }) {
      await resendCorreo(trx, { id, version }, usuario.id);
      return pedidoOf(trx, id);
    },
  }),
];
