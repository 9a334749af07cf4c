import { recountProductos } from '~/domain/compras/catalogo/listProductos.server';
import { defineTask } from '../task.server';

export default defineTask('productos.contar', (_, { db }) => recountProductos(db));
