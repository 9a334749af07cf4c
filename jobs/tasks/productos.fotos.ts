import { bringFotos } from '~/domain/compras/catalogo/fotos.server';
import { defineTask } from '../task.server';

export default defineTask('productos.fotos', ({ productoId }, { db }) => bringFotos(db, productoId));
