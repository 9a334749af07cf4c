import { cleanExpired } from '~/domain/mantenimiento/limpieza.server';
import { defineTask } from '../task.server';

export default defineTask('maintenance.clean', (_payload, { db }) => cleanExpired(db));
