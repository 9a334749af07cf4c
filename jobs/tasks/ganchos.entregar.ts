import { deliver } from '~/platform/webhooks/deliver.server';
import { defineTask } from '../task.server';

export default defineTask('ganchos.entregar', ({ ganchoId }, { db, signal }) => deliver(db, ganchoId, signal));
