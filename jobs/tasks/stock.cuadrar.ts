import { balanceStock } from '~/domain/compras/stock/cuadre.server';
import { defineTask } from '../task.server';

export default defineTask('stock.cuadrar', (_, { db }) => balanceStock(db));
