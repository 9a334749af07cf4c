import { enPesos } from '~/core/importe';
import { NotAllowed } from '~/core/errors';
import { defineRows, outcome } from '~/http/actions.server';
import {
  confirmWithGuardias,
  ERROR_CREAR,
  placePedido,
  preguntadoOf,
  rereadPedido,
  requireSinImpedimento,
  reviewPedido,
  previewPedido,
  waitForProveedor,
} from '~/domain/compras/pedidos/placePedido.server';
import { readPedidoFila } from '~/domain/compras/pedidos/listPedidos.server';
import { ConfirmarPedido, FolioDePedido, HacerPedido, PedidoCancelado, UnPedido } from '~/domain/compras/pedidos/forms';
import { noteFolio, cancelPedido, discardPedido, resendCorreo } from '~/domain/compras/pedidos/pedidos.server';
import { ERROR_CONFIRMAR, askConfirm, askMake, askRemove, askSupply, QUITADO } from '~/domain/compras/pedidos/pedido';
import { supplyVenta } from '~/domain/compras/pedidos/supplyVenta.server';
import { foliosOf } from '~/domain/compras/stock/readPiezas.server';
import { SurtirVenta } from '~/domain/compras/stock/forms';

/** The actions on a pedido, on every screen that shows pedidos. */
export const pedidoActions = defineRows({
  confirmarPedido: {
    schema: ConfirmarPedido,
    right: 'pedidos.operar',
    termina: true,
    confirm: async (db, { pedido: id, motivo }, { rol }) => {
      const fallas = await rereadPedido(db, id);
      const revisado = await reviewPedido(db, id, rol, fallas);
      if (!revisado) return null;
      const { revision } = revisado;
      // Said at once, and not after a yes.
      requireSinImpedimento(revision, motivo, ERROR_CONFIRMAR);
      return {
        ...askConfirm(preguntadoOf(revisado)),
        ...(revision.costo && { marcas: { costo: revision.costo.toFixed(2) } }),
      };
    },
    run: async (db, form, usuario) =>
      outcome({ aviso: await waitForProveedor(db, await confirmWithGuardias(db, form, usuario), ERROR_CONFIRMAR) }),
  },
  quitarPedido: {
    schema: UnPedido,
    right: 'pedidos.operar',
    termina: true,
    confirm: async (db, { pedido }) => {
      const fila = await readPedidoFila(db, pedido);
      return fila ? askRemove(fila) : null;
    },
    commit: (trx, { pedido: id, version }, usuario) => discardPedido(trx, { id, version }, usuario.id),
    aviso: QUITADO,
  },
  surtirVenta: {
    schema: SurtirVenta,
    right: 'stock.operar',
    confirm: async (db, { piezas }) => askSupply(await foliosOf(db, piezas)),
    commit: (trx, form, usuario) => supplyVenta(trx, form, usuario.id),
    aviso: 'La venta se surte con el stock interno.',
  },
  releerPedido: {
    schema: UnPedido,
    right: 'pedidos.operar',
    run: async (db, { pedido }) => {
      const [falla] = (await rereadPedido(db, pedido)).values();
      if (falla !== undefined) throw new NotAllowed(ERROR_CONFIRMAR, falla);
      return outcome({ aviso: 'Se leyó otra vez.' });
    },
  },
  folioPedido: {
    schema: FolioDePedido,
    right: 'pedidos.operar',
    termina: true,
    commit: async (trx, { pedido: id, version, folio }, usuario) => {
      const propio = await noteFolio(trx, { id, version, folio }, usuario.id);
      return outcome({ aviso: `Se guardó el folio del pedido. ${propio}: sin folio → ${folio}.` });
    },
  },
  cancelarPedido: {
    schema: PedidoCancelado,
    right: 'pedidos.operar',
    termina: true,
    confirm: async (db, { pedido, motivo }) => {
      const fila = await readPedidoFila(db, pedido);
      return fila
        ? {
            titulo: 'Cancelar el pedido',
            texto: '¿El proveedor ya aceptó cancelar este pedido?',
            hechos: `${fila.folio} a ${fila.proveedorLabel}${fila.costo ? `, ${enPesos(fila.costo.toFixed(2))}` : ''}. ${motivo}`,
            destruye: true,
          }
        : null;
    },
    commit: (trx, { pedido: id, version, motivo }, usuario) => cancelPedido(trx, { id, version, motivo }, usuario.id),
    aviso: 'El pedido quedó cancelado.',
  },
  reenviarPedido: {
    schema: UnPedido,
    right: 'pedidos.operar',
    confirm: async (db, { pedido }) => {
      const fila = await readPedidoFila(db, pedido);
      return fila
        ? {
            titulo: 'Enviar correo',
            texto: '¿Está seguro que desea enviar el correo?',
            hechos: `${fila.folio} a ${fila.proveedorLabel}, otra vez.`,
          }
        : null;
    },
    commit: (trx, { pedido: id, version }, usuario) => resendCorreo(trx, { id, version }, usuario.id),
    aviso: 'El correo está en camino.',
  },
  hacerPedido: {
    schema: HacerPedido,
    right: 'pedidos.operar',
    confirm: async (db, form, usuario) => {
      const previa = await previewPedido(db, form, usuario);
      if (!previa) return null;
      const { revision } = previa;
      // A draft is not checked here: the confirmation checks it.
      if (previa.estado !== 'borrador') requireSinImpedimento(revision, form.motivo, ERROR_CREAR);
      return askMake(preguntadoOf(previa));
    },
    run: async (db, form, usuario) => {
      const { created, ...enCamino } = await placePedido(db, form, usuario);
      return outcome({
        aviso: created
          ? await waitForProveedor(db, enCamino, ERROR_CREAR)
          : 'La venta ya tenía un pedido a ese proveedor.',
      });
    },
  },
});
