import { bringComisiones, enqueueComisiones } from '~/domain/publicaciones/publicaciones/comisiones.server';
import { defineTask } from '../task.server';

export default defineTask('comisiones.preguntar', async ({ market }, { db, signal }) => {
  if (market === undefined) return await enqueueComisiones(db);
  await bringComisiones(db, market, { signal });
});
