import { requestAutomaticos, GUARDIAS } from '~/domain/compras/pedidos/automatico.server';
import { followPedidos } from '~/domain/compras/pedidos/followPedidos.server';
import { defineTask } from '../task.server';

/** What may leave alone leaves first: how the others go can be asked a minute later. */
export default defineTask('pedidos.seguir', async (_, { db }) => {
  await requestAutomaticos(db, GUARDIAS);
  await followPedidos(db);
});
