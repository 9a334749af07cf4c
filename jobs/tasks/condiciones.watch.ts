import { watchCondiciones } from '~/domain/operacion/mantenimiento/condiciones.server';
import { defineTask } from '../task.server';

export default defineTask('condiciones.watch', (_, { db }) => watchCondiciones(db));
