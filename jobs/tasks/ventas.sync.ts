import { fuenteOf } from '~/domain/mercados/registro.server';
import { enqueueSyncs, syncVentas } from '~/domain/sync/syncVentas.server';
import { defineTask } from '../task.server';

export default [
  defineTask('ventas.sync', async ({ market, kind, since }, { db, signal }) => {
    if (!market) return await enqueueSyncs(db, kind, since);
    await syncVentas(db, fuenteOf(market), { kind, since, signal });
  }),
  defineTask('ordenes.syncMl', ({ kind, since }, { db }) => enqueueSyncs(db, kind, since)),
];
