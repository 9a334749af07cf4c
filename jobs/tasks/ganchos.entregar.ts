import { entregar } from '~/platform/webhooks/entregar.server';
import { defineTask } from '../task.server';

export default defineTask('ganchos.entregar', ({ ganchoId }, { db, signal }) => entregar(db, ganchoId, signal));
