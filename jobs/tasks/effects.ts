import { effectRuntime } from '~/domain/effectRuntime.server';
import { runEffect } from '~/domain/effects/runEffect.server';
import { defineTask } from '../task.server';

/** The same work for each far side, under names of their own. */
export default (['effect.facturacom', 'effect.mercadolibre', 'effect.correo'] as const).map((name) =>
  defineTask(name, ({ effectId }, { db }) => runEffect(effectRuntime(db), effectId)),
);
