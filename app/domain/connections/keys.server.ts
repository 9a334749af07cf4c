import { NotAllowed } from '~/core/errors';
import { record } from '~/domain/bitacora.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { forgetFailures } from './breaker.server';
import { saveCredential } from './credentials.server';
import type { FarSide, Keys } from './definition';
import { CONNECTIONS } from './registry.server';

const TITULO = 'Error de actualización.';

/**
 * Links an account by its keys: asks the far side whose they are, and keeps them when it knows. The far side becomes a company of
 * Empresas, where people pause it.
 */
export async function saveKeys(db: Db, side: FarSide, keys: Keys, usuarioId: string | null): Promise<void> {
  const { kind, label, link } = side;
  if (link.type !== 'keys' || !link.whoIs || !CONNECTIONS.isKind(kind))
    throw new Error(`connection ${kind} keeps no keys here`);
  const cuenta = await link.whoIs(keys).catch((error: unknown) => {
    if (error instanceof Refused)
      throw new NotAllowed(TITULO, `${label} no reconoce esas llaves. Revisa que sean de esta cuenta y ambiente.`, {
        cause: error,
      });
    // Nothing was asked to be done there: an answer that was lost or cannot be read is none.
    if (error instanceof Unavailable || error instanceof Uncertain || error instanceof UnexpectedShape)
      throw new NotAllowed(
        TITULO,
        `${label} no contesta en este momento. Tus llaves no se guardaron; inténtalo en unos minutos.`,
        { cause: error },
      );
    throw error;
  });
  await db.transaction().execute(async (trx) => {
    await saveCredential(trx, kind, { ...cuenta, secrets: { ...keys } });
    await trx
      .insertInto('empresa')
      .values({ nombre: label, conexion: kind })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await forgetFailures(trx, kind);
    await record(trx, {
      usuarioId,
      entidad: 'credential',
      entidadId: kind,
      accion: 'vincular',
      datos: { cuenta: cuenta.account },
    });
  });
}
