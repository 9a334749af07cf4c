import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { Texto } from '~/core/fields';
import { Money } from '~/core/money';
import {
  ordenesCtList,
  porConfirmarList,
  readPedidoFila,
  type PedidoRow,
} from '~/domain/compras/pedidos/listPedidos.server';
import { ESTADO_LABEL, POR_CONFIRMAR, QUITADO } from '~/domain/compras/pedidos/pedido';
import { discardPedido } from '~/domain/compras/pedidos/pedidos.server';
import { confirmWithGuardias, waitForProveedor } from '~/domain/compras/pedidos/placePedido.server';
import { pedidosOfOrden } from '~/domain/compras/pedidos/readPedidos.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { ApiProblem, found } from '../problem.server';
import { enPesos } from './productos.server';
import { Hecho, hecho, Id, Instante, Numero, numero, shapeOf } from './shapes';

const operar = { pantalla: 'ordenesPorConfirmar', derecho: 'pedidos.operar' } as const;

const pedido = shapeOf<PedidoRow>()({
  _id: [z.uuid(), 'id'],
  idPedido: [z.string(), 'folio'],
  market: [z.string(), 'market'],
  orden: [z.uuid(), 'ordenId'],
  numOrden: [z.string(), 'numOrden'],
  titulo: [z.string(), 'titulo'],
  proveedor: [z.string(), 'proveedor'],
  estatus: [z.string(), 'estado'],
  producto: [
    z.array(
      z.object({
        clave: z.string(),
        cantidad: z.number(),
        precio: Numero.nullable().meta({ description: 'Pesos, sin IVA.' }),
        precioProveedor: Numero.nullable(),
        moneda: z.string().nullable(),
      }),
    ),
    ({ lineas }) =>
      lineas.map(({ modelo, cantidad, precio, moneda, tipoCambio }) => ({
        clave: modelo,
        cantidad,
        precio: numero(
          enPesos(precio === null ? null : Money.of(precio), moneda, tipoCambio === null ? null : Money.of(tipoCambio)),
        ),
        precioProveedor: numero(precio),
        moneda,
      })),
  ],
  respuestaCT: [
    z.object({
      folioFactura: z.string().nullable(),
      pedidoWeb: z.string().nullable(),
      fecha: Instante.nullable(),
      estatus: z.string(),
    }),
    ({ facturaFolio, folioProveedor, creadoEn, estado, dice }) => ({
      folioFactura: facturaFolio,
      pedidoWeb: folioProveedor,
      fecha: creadoEn,
      estatus: dice ?? ESTADO_LABEL[estado],
    }),
  ],
  fecha: [Instante, 'creadoEn'],
  dateCreated: [Instante, 'fechaCreacion'],
  marketId: [z.string(), 'numOrden'],
  paquete: [z.string().nullable(), 'packId'],
  cotizacion: [z.string().nullable(), 'cotizacion'],
  envio: [z.object({ marketId: z.string() }).nullable(), ({ envio }) => (envio === null ? null : { marketId: envio })],
  pagado: [Numero, ({ pagado }) => numero(pagado)],
  clase: [z.string(), 'clase'],
  error: [
    z.string().nullable().meta({ description: 'Con él, lo que sigue es quitarlo de la lista; sin él, confirmarlo.' }),
    ({ errores, estado, detalle }) => errores[0] ?? (estado === 'rechazado' ? (detalle ?? 'Rechazado') : null),
  ],
  almacen: [z.string().nullable(), 'almacen'],
  facturaCliente: [z.string().nullable(), 'facturaCliente'],
});

/** The purchase of a sale that waits to be confirmed, or the purchase itself: the old client has the id of either. */
async function pedidoPorId(db: Db | Trx, id: string, titulo: string) {
  const propio = await readPedidoFila(db, id);
  if (propio) return propio;
  const { pedidos } = await pedidosOfOrden(db, await found(readOrden(db, id)));
  const esperan = pedidos.filter(({ estado }) => POR_CONFIRMAR.some((uno) => uno === estado));
  const ct = esperan.filter(({ proveedor }) => proveedor === 'ct');
  const [uno, ...otros] = ct.length > 0 ? ct : esperan;
  if (!uno) throw new NotAllowed(titulo, 'La orden no tiene un pedido que espere confirmación.');
  if (otros.length > 0)
    throw new NotAllowed(
      titulo,
      'La orden tiene varios pedidos: di cuál por su propio id (_id de ordenesPorConfirmarCt).',
    );
  return found(readPedidoFila(db, uno.id));
}

/** A pedido in one of these states was not taken by its supplier so far: an old call says success only for what is so. */
const SIN_RESPUESTA: readonly string[] = ['borrador', 'enviando', 'incierto'];
const NO_SE_CONFIRMO = 'Error confirmar el pedido o enviar la guia.';
const NO_SE_QUITO = 'Error al eliminar de la lista.';
export const pedidosAnteriores: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/ct/lista',
    resumen: 'Los pedidos a CT.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesCT' },
    answer: z.array(pedido.wire),
    run: async (db, { usuario }) => (await gather(db, ordenesCtList, '', usuario)).map(pedido.of),
  }),
  defineCall({
    method: 'GET',
    path: '/api/ordenesPorConfirmarCt',
    resumen: 'Lo vendido que espera comprarse.',
    alcance: 'pedidos',
    acceso: { pantalla: 'ordenesPorConfirmar' },
    answer: z.array(pedido.wire),
    run: async (db, { usuario }) => (await gather(db, porConfirmarList, '', usuario)).map(pedido.of),
  }),
  defineCall({
    method: 'POST',
    path: '/api/orden/confirmarCT/{id}',
    resumen: 'Confirma un pedido.',
    alcance: 'pedidos',
    acceso: operar,
    params: Id,
    body: z.object({ motivo: Texto(300).nullable().default(null) }),
    answer: Hecho,
    async run(db, { params: { id }, body: { motivo }, usuario }) {
      const { id: pedido, version, costo } = await pedidoPorId(db, id, NO_SE_CONFIRMO);
      const visto = { pedido, version, motivo, costo: costo?.toFixed(2) ?? null };
      const dicho = await waitForProveedor(db, await confirmWithGuardias(db, visto, usuario), NO_SE_CONFIRMO);
      const { estado } = await found(readPedidoFila(db, pedido));
      if (SIN_RESPUESTA.includes(estado)) throw new ApiProblem('en-curso', dicho, { titulo: NO_SE_CONFIRMO });
      return hecho(dicho);
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/orden/list/ct/{id}',
    resumen: 'Quita un pedido de la lista.',
    alcance: 'pedidos',
    acceso: operar,
    params: Id,
    answer: Hecho,
    async commit(trx, { params: { id }, usuario }) {
      const { id: pedido, version } = await pedidoPorId(trx, id, NO_SE_QUITO);
      await discardPedido(trx, { id: pedido, version }, usuario.id);
      return hecho(QUITADO);
    },
  }),
];
