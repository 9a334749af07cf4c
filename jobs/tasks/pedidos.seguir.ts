import { requestAutomaticos } from '~/domain/compras/pedidos/automatico.server';
import { followPedidos } from '~/domain/compras/pedidos/followPedidos.server';
import { defineTask } from '../task.server';

/** Sends the orders that need no person first: the look at other orders can wait a minute. */
export default defineTask('pedidos.seguir', async (_, { db }) => {
  await requestAutomaticos(db);
  await followPedidos(db);
});
