import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { CODIGO_RECORDADO_DIAS } from './segundoFactor';
import { fingerprint, newToken } from '~/domain/personal/internal/token.server';

/** How long a browser stays known without anybody entering there, in seconds. */
export const DISPOSITIVO_SECONDS = 365 * 86_400;

/** Returns the id of the browser of this token, if this person entered there before. */
export async function findDispositivo(db: Db, token: string, usuario: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('dispositivo')
    .innerJoin('usuario', 'usuario.id', 'dispositivo.usuarioId')
    .select('dispositivo.id')
    .where('dispositivo.tokenHash', '=', fingerprint(token))
    .where(sql`lower(usuario.usuario)`, '=', usuario.toLowerCase())
    .executeTakeFirst();
  return found?.id;
}

/** Returns when this person gave a code in a browser that was to be remembered; null when a code has to be asked for again. */
export async function codigoRecordado(db: Db | Trx, token: string, usuarioId: string): Promise<Date | null> {
  const found = await db
    .selectFrom('dispositivo')
    .select('codigoEn')
    .where('tokenHash', '=', fingerprint(token))
    .where('usuarioId', '=', usuarioId)
    .where('codigoEn', '>', sql<Date>`now() - make_interval(days => ${CODIGO_RECORDADO_DIAS}::int)`)
    .executeTakeFirst();
  return found?.codigoEn ?? null;
}

/**
 * Remembers that this person entered in this browser, and returns the token by which it is known from now on. The token that it brought ends, so a
 * planted one is worth nothing. People known by the old token, with their counts, pass to the new one. With `conCodigo` the code just given is not
 * asked for again for some time.
 */
export async function rememberDispositivo(
  trx: Trx,
  usuarioId: string,
  brought: string | null,
  { conCodigo = false }: { conCodigo?: boolean } = {},
): Promise<string> {
  const token = newToken();
  const tokenHash = fingerprint(token);
  if (brought) {
    await trx.updateTable('dispositivo').set({ tokenHash }).where('tokenHash', '=', fingerprint(brought)).execute();
  }
  const codigoEn = conCodigo ? { codigoEn: sql<Date>`now()` } : {};
  await trx
    .insertInto('dispositivo')
    .values({ tokenHash, usuarioId, ...codigoEn })
    .onConflict((conflict) =>
      conflict.columns(['tokenHash', 'usuarioId']).doUpdateSet({ vistoEn: sql`now()`, ...codigoEn }),
    )
    .execute();
  return token;
}

/** Forgets every browser of a person: a password that had to be changed may have been known to somebody else too. */
export async function forgetDispositivos(trx: Trx, usuarioId: string): Promise<void> {
  await trx.deleteFrom('dispositivo').where('usuarioId', '=', usuarioId).execute();
}
