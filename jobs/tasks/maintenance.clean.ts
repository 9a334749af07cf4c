import { resealCredentials } from '~/platform/connections/credentials.server';
import { resealGanchos } from '~/platform/webhooks/ganchos.server';
import { resealSegundoFactor } from '~/domain/personal/segundoFactor.server';
import { cleanExpired } from '~/domain/operacion/mantenimiento/limpieza.server';
import { defineTask } from '../task.server';

export default defineTask('maintenance.clean', async (_payload, { db }) => {
  await resealCredentials(db);
  await resealSegundoFactor(db);
  await resealGanchos(db);
  await cleanExpired(db);
});
