import { probarRespaldo } from '~/domain/operacion/respaldos/prueba.server';
import { defineTask } from '../task.server';

export default defineTask('respaldo.probar', (_, { db }) => probarRespaldo(db));
