import { enqueuePublicaciones, leerMovidas, leerTodas } from '~/domain/sync/syncPublicaciones.server';
import { defineTask } from '../task.server';

export default defineTask('publicaciones.sync', async ({ market, modo }, { db, signal }) => {
  if (!market) return await enqueuePublicaciones(db, modo);
  if (modo === 'todas') await leerTodas(db, market, { signal });
  else await leerMovidas(db, market, { signal });
});
