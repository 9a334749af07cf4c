import { recontarProductos } from '~/domain/proveedores/listProductos.server';
import { defineTask } from '../task.server';

export default defineTask('productos.contar', (_, { db }) => recontarProductos(db));
