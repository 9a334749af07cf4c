import { FAR_SIDES } from '~/domain/operacion/farSides.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { taskOf } from '~/platform/effects/effects.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { defineTask } from '../task.server';

/**
 * A task for each far side that takes effects, in a lane of its own: as many at once as the far side takes, and the
 * reserve of `standby`.
 */
export default FAR_SIDES.filter(({ budget }) => budget.atOnce > 0).map(({ kind, budget, standby }) =>
  defineTask(taskOf(kind), ({ effectId }, { db }) => runEffect(effectRuntime(db), effectId), {
    name: kind,
    atOnce: budget.atOnce + standby,
  }),
);
