import { followCancelaciones } from '~/domain/facturacion/cancelacion/followCancelaciones.server';
import { defineTask } from '../task.server';

export default defineTask('cfdi.followCancel', (_payload, { db, signal }) => followCancelaciones(db, signal));
