import { entregar } from '~/domain/ganchos/entregar.server';
import { defineTask } from '../task.server';

export default defineTask('ganchos.entregar', ({ ganchoId }, { db, signal }) => entregar(db, ganchoId, signal));
