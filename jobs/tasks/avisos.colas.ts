import { drainColas } from '~/domain/sync/colas.server';
import { defineTask } from '../task.server';

export default defineTask('avisos.colas', async (_, { db }) => void (await drainColas(db)));
