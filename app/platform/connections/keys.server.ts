import { NotAllowed } from '~/core/errors';
import { explainRechazo, type Rechazo } from '~/core/rechazo';
import { record } from '~/platform/bitacora.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';
import { forgetFailures } from './breaker.server';
import { openCredential, saveCredential } from './credentials.server';
import { type FarSide, type Keys, opcionalesOf } from './definition';
import { CONNECTIONS } from './registry.server';

const TITULO = 'Error de actualización.';

/**
 * Links an account by its keys: asks the far side whose the keys are, and keeps them when it knows. An optional key that is absent stays as it was.
 * The far side becomes a row of Empresas, where people pause it. Throws `NotAllowed` when the far side does not know the keys or does not answer.
 */
export async function saveKeys(db: Db, side: FarSide, keys: Keys, usuarioId: string | null): Promise<void> {
  const { kind, label, link } = side;
  if (link.type !== 'keys' || !link.whoIs || !CONNECTIONS.isKind(kind))
    throw new Error(`connection ${kind} keeps no keys here`);
  const cuenta = await link.whoIs(keys).catch((error: unknown) => {
    if (error instanceof Refused)
      throw new NotAllowed(TITULO, `${label} no reconoce esas llaves. Revisa que sean de esta cuenta y ambiente.`, {
        rechazo: rechazoOfLlaves(side, error),
        cause: error,
      });
    // The question changes nothing there, so an answer that was lost or cannot be read counts as no answer.
    if (error instanceof Unavailable || error instanceof Uncertain || error instanceof UnexpectedShape)
      throw new NotAllowed(
        TITULO,
        `${label} no contesta en este momento. Tus llaves no se guardaron; inténtalo en unos minutos.`,
        { rechazo: rechazoOfLlaves(side, error), cause: error },
      );
    throw error;
  });
  await db.transaction().execute(async (trx) => {
    const conserva = await keptKeysOf(trx, side, keys, cuenta.account);
    await saveCredential(trx, kind, { ...cuenta, secrets: { ...conserva, ...keys } });
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

/** Returns why a far side did not take some keys, for people. An answer that was lost or cannot be read is told in our words. */
export function rechazoOfLlaves(side: Pick<FarSide, 'label' | 'rechazos'>, error: Error): Rechazo {
  if (error instanceof Refused) {
    const { code, detail, raw } = error.details;
    return explainRechazo(side, {
      palabras: [error.message, detail].filter(Boolean).join(' · '),
      codigo: code,
      respuesta: raw,
    });
  }
  return explainRechazo(side, {
    palabras: error.message,
    respuesta: error instanceof Unavailable ? error.details.raw : null,
  });
}

/** Returns the optional keys that were left out and that this very account had. Keys of another account are not kept. */
async function keptKeysOf(trx: Trx, { kind, link }: FarSide, keys: Keys, account: string): Promise<Keys> {
  const omitidas = opcionalesOf(link).filter((name) => keys[name] === undefined);
  if (omitidas.length === 0) return {};
  await trx.selectFrom('credential').select('connection').where('connection', '=', kind).forUpdate().execute();
  const antes = await openCredential(trx, kind);
  if (antes?.account !== account) return {};
  return Object.fromEntries(omitidas.map((name) => [name, antes.secrets[name] ?? '']));
}
