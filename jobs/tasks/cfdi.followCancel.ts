import { followCancelaciones } from '~/domain/facturas/cancelacion/followCancelaciones.server';
import { defineTask } from '../task.server';

export default defineTask('cfdi.followCancel', (_payload, { db, signal }) => followCancelaciones(db, signal));
