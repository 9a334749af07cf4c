import { resealCredentials } from '~/domain/connections/credentials.server';
import { resealGanchos } from '~/domain/ganchos/ganchos.server';
import { resealSegundoFactor } from '~/domain/cuentas/segundoFactor.server';
import { cleanExpired } from '~/domain/mantenimiento/limpieza.server';
import { defineTask } from '../task.server';

export default defineTask('maintenance.clean', async (_payload, { db }) => {
  await resealCredentials(db);
  await resealSegundoFactor(db);
  await resealGanchos(db);
  await cleanExpired(db);
});
