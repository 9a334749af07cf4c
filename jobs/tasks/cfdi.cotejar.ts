import { comparePac } from '~/domain/operacion/mantenimiento/cotejo.server';
import { defineTask } from '../task.server';

export default defineTask('cfdi.cotejar', (_, { db, signal }) => comparePac(db, signal));
