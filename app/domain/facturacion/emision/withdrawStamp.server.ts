import { NotAllowed } from '~/core/errors';
import type { EffectCatalog } from '~/platform/effects/definition';
import { withdrawEffect } from '~/platform/effects/resolve.server';
import type { Db } from '~db/client.server';
import { reopenDraft, type FacturaDraft } from './draft.server';

/** Takes back a factura whose request surely never left, and opens its draft again. */
export async function withdrawStamp(
  db: Db,
  catalog: EffectCatalog,
  draft: FacturaDraft,
  usuarioId: string,
): Promise<void> {
  const { effectId } = draft;
  if (!effectId) throw new NotAllowed('Facturación', 'No hay una solicitud que retirar.');
  await db.transaction().execute((trx) => withdrawEffect(trx, catalog, effectId, usuarioId));
  await reopenDraft(db, draft);
}
