import { seguirPedidos } from '~/domain/pedidos/seguir.server';
import { defineTask } from '../task.server';

export default defineTask('pedidos.seguir', (_, { db }) => seguirPedidos(db));
