import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { lookDue } from '~/platform/effects/runEffect.server';
import { defineTask } from '../task.server';

export default defineTask('effects.lookLate', ({ connection }, { db, signal }) =>
  lookDue(effectRuntime(db), connection, signal),
);
