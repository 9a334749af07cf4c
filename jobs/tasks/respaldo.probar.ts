import { probarRespaldo } from '~/domain/operacion/mantenimiento/pruebaDeRespaldo.server';
import { defineTask } from '../task.server';

export default defineTask('respaldo.probar', (_, { db }) => probarRespaldo(db));
