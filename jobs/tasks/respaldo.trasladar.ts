import { trasladar } from '~/domain/operacion/mantenimiento/respaldoEnBucket.server';
import { defineTask } from '../task.server';

export default defineTask('respaldo.trasladar', ({ que }, { db, signal }) => trasladar(db, que, signal));
