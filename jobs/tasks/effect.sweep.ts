import { sweepEffects } from '~/platform/effects/runEffect.server';
import { defineTask } from '../task.server';

export default defineTask('effect.sweep', (_payload, { db }) => sweepEffects(db));
