import { MARKETS } from '~/core/market';
import { haySeguidas, seguirProveedores } from '~/domain/publicaciones/seguir.server';
import { enqueue } from '~db/queue/catalog.server';
import { defineTask } from '../task.server';

/** A change waits for no clock: one turn after another while anything follows its supplier. The schedule begins them again whatever happened. */
const ENTRE_TURNOS_MS = 1_500;

export default defineTask('publicaciones.seguir', async (_, { db }) => {
  await seguirProveedores(db, MARKETS);
  if (await haySeguidas(db)) await enqueue(db, 'publicaciones.seguir', {}, { waitMs: ENTRE_TURNOS_MS });
});
