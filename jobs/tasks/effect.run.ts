import { effectRuntime } from '~/domain/effectRuntime.server';
import { runEffect } from '~/domain/effects/runEffect.server';
import { defineTask } from '../task.server';

export default defineTask('effect.run', ({ effectId }, { db }) => runEffect(effectRuntime(db), effectId));
