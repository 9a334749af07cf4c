import { readCuerpo } from '~/api/eventos.server';
import { sweepGanchos, distribute } from '~/platform/webhooks/distribute.server';
import { defineTask } from '../task.server';

export default defineTask('ganchos.barrer', async (_, { db }) => {
  await distribute(db, readCuerpo);
  await sweepGanchos(db);
});
