import { landingOf } from '~/access/session.server';
import { ReintentarFuentes } from '~/domain/sync/fuentesForm';
import { readFuentes } from '~/domain/sync/fuentes.server';
import { enqueueSyncsOf } from '~/domain/sync/syncVentas.server';
import { defineActions } from '~/http/actions.server';
import { db } from '~db/shared.server';

/** Answers how fresh the sources are, for screens that stay open. */
export async function loader() {
  return Response.json(await readFuentes(db()), { headers: { 'cache-control': 'no-store' } });
}

export const action = defineActions({
  /** Asks every source now, ahead of its turn. */
  reintentar: {
    schema: ReintentarFuentes,
    right: 'conexiones.sincronizar',
    run: (db) => enqueueSyncsOf(db),
    to: ({ volver }, _, usuario) => landingOf(usuario, volver),
    aviso: 'La sincronización empezó.',
  },
});
