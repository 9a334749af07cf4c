import { makeRetratos } from '~/domain/compras/catalogo/retratos.server';
import { defineTask } from '../task.server';

export default defineTask('productos.retratos', (_, { db, signal }) => makeRetratos(db, signal));
