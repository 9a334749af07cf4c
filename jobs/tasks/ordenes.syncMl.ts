import { openMercadolibre } from '~/domain/cuentas/mercadolibre.server';
import { syncOrdenesMl } from '~/domain/ordenes/syncMl.server';
import { defineTask } from '../task.server';

export default defineTask('ordenes.syncMl', ({ kind, since }, { db, signal }) =>
  syncOrdenesMl(db, openMercadolibre(db), { kind, since: since === undefined ? undefined : new Date(since), signal }),
);
