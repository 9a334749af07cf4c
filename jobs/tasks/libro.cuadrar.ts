import { balanceLibros } from '~/domain/ventas/libro/cuadreLibro.server';
import { defineTask } from '../task.server';

export default defineTask('libro.cuadrar', (_, { db }) => balanceLibros(db));
