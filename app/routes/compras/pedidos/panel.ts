import { definePanel } from '~/ui/ficha/panel';

/** The panel of a pedido, on every list that shows pedidos. */
export const pedidoPanel = definePanel('PedidoFicha', {
  load: async () => (await import('./PedidoFicha')).PedidoFicha,
  que: 'Pedido',
  ausente: {
    titulo: 'El pedido no existe',
    texto: 'El enlace nombra un pedido que no está aquí. Puede que se haya copiado incompleto.',
  },
});

/** Intents about a pedido that a button sends without a form of its own. */
export const BY_BUTTON = ['confirmarPedido', 'quitarPedido', 'releerPedido'] as const;
