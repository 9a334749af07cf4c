import { leerCuerpo } from '~/api/eventos.server';
import { barrerGanchos, repartir } from '~/platform/webhooks/repartir.server';
import { defineTask } from '../task.server';

export default defineTask('ganchos.barrer', async (_, { db }) => {
  await repartir(db, leerCuerpo);
  await barrerGanchos(db);
});
