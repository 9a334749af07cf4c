import { openMercadolibre } from '~/domain/cuentas/mercadolibre.server';
import { processInbox } from '~/domain/ordenes/inbox.server';
import { defineTask } from '../task.server';

export default defineTask('inbox.process', ({ inboxId }, { db }) => processInbox(db, openMercadolibre(db), inboxId));
