import { FAR_SIDES } from '~/domain/operacion/farSides.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { taskOf } from '~/platform/effects/effects.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { defineTask } from '../task.server';

/** The same work for each far side that takes any, under a name and in a lane of its own: as many at once as it takes, and those that stand ready. */
export default FAR_SIDES.filter(({ budget }) => budget.atOnce > 0).map(({ kind, budget, standby }) =>
  defineTask(taskOf(kind), ({ effectId }, { db }) => runEffect(effectRuntime(db), effectId), {
    name: kind,
    atOnce: budget.atOnce + standby,
  }),
);
