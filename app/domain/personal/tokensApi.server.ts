import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { fingerprint, newToken } from '~/domain/personal/internal/token.server';
import type { NewTokenApi } from './forms';
import type { Usuario } from '~/core/usuario';

/** First letters of a program's token: they tell it from the token of a session, also to a person who finds one in a file. */
export const PREFIJO = 'tst_';
/** Most living tokens of a person: with more nobody knows which is which. */
const MAX_TOKENS = 20;
/** How often the last use of a token is written, in seconds. */
const TOUCH_SECONDS = 60;

/**
 * Makes a token with the asked rights, for a `vida` in days, and returns its text. The text cannot be read again: the table keeps its hash. Writes a
 * line of the audit trail. Throws `NotAllowed` for a right outside `permitidos`, and when the person holds twenty living tokens.
 */
export async function createTokenApi(
  trx: Trx,
  usuario: Pick<Usuario, 'id'>,
  { nombre, vida, alcances }: NewTokenApi,
  permitidos: readonly string[],
): Promise<string> {
  const titulo = 'Error al agregar.';
  if (alcances.some((alcance) => !permitidos.includes(alcance)))
    throw new NotAllowed(titulo, 'Tu rol no puede dar esos permisos.', { campo: 'alcances' });
  // Two windows of one person come one after the other, so that both are counted.
  await trx.selectFrom('usuario').select('id').where('id', '=', usuario.id).forUpdate().execute();
  const { cuantos } = await trx
    .selectFrom('tokenApi')
    .where('usuarioId', '=', usuario.id)
    .where(VIVO)
    .select(({ fn }) => fn.countAll<number>().as('cuantos'))
    .executeTakeFirstOrThrow();
  if (cuantos >= MAX_TOKENS)
    throw new NotAllowed(titulo, `Caben ${MAX_TOKENS} tokens por persona. Revoca uno que ya no uses.`);
  const token = PREFIJO + newToken();
  const { id } = await trx
    .insertInto('tokenApi')
    .values({
      usuarioId: usuario.id,
      nombre,
      tokenHash: fingerprint(token),
      pista: token.slice(-4),
      alcances: [...new Set(alcances)].sort(),
      venceEn: sql<Date>`now() + make_interval(days => ${Number(vida)})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(trx, {
    usuarioId: usuario.id,
    entidad: 'tokenApi',
    entidadId: id,
    accion: 'crear',
    datos: { nombre, vida, alcances },
  });
  return token;
}

const VIVO = sql<boolean>`token_api.revocado_en is null and token_api.vence_en > now()`;

/** Lists at most fifty tokens of a person, the living ones first. */
export function listTokensApi(db: Db | Trx, usuarioId: string) {
  return db
    .selectFrom('tokenApi')
    .where('usuarioId', '=', usuarioId)
    .orderBy(VIVO, 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .select(['id', 'nombre', 'pista', 'alcances', 'creadoEn', 'venceEn', 'usadoEn', 'revocadoEn'])
    .select(VIVO.as('vivo'))
    .execute();
}

/** Ends a token at once, with a line of the audit trail. A token of another person, or one that ended already, is left as it is, and no line is written. */
export async function revokeTokenApi(trx: Trx, usuario: Pick<Usuario, 'id'>, id: string): Promise<void> {
  const ended = await trx
    .updateTable('tokenApi')
    .set({ revocadoEn: sql<Date>`now()` })
    .where('id', '=', id)
    .where('usuarioId', '=', usuario.id)
    .where('revocadoEn', 'is', null)
    .returning('nombre')
    .executeTakeFirst();
  if (ended)
    await record(trx, {
      usuarioId: usuario.id,
      entidad: 'tokenApi',
      entidadId: id,
      accion: 'revocar',
      datos: { nombre: ended.nombre },
    });
}

/** Ends all tokens of a person, in the transaction that takes away what they were based on. The caller writes the line of the audit trail. */
export async function revokeTokensApi(trx: Trx, usuarioId: string): Promise<void> {
  await trx
    .updateTable('tokenApi')
    .set({ revocadoEn: sql<Date>`now()` })
    .where('usuarioId', '=', usuarioId)
    .where('revocadoEn', 'is', null)
    .execute();
}

/** A program: the id of its token, the person it acts for, and its rights. */
export type ConToken = { id: string; usuario: Usuario; alcances: string[] };

/** Returns the program of a living token; null for any other, and for that of an inactive person. Notes the use of the token, at most once a minute. */
export async function readTokenApi(db: Db, token: string): Promise<ConToken | null> {
  const found = await db
    .selectFrom('tokenApi')
    .innerJoin('usuario', 'usuario.id', 'tokenApi.usuarioId')
    .where('tokenApi.tokenHash', '=', fingerprint(token))
    .where(VIVO)
    .where('usuario.activo', '=', true)
    .select([
      'tokenApi.id as tokenId',
      'tokenApi.alcances',
      'usuario.id',
      'usuario.usuario',
      'usuario.nombre',
      'usuario.apellidos',
      'usuario.email',
      'usuario.rol',
      'usuario.activo',
      sql<boolean>`coalesce(token_api.usado_en < now() - make_interval(secs => ${TOUCH_SECONDS}), true)`.as('stale'),
    ])
    .executeTakeFirst();
  if (!found) return null;
  const { tokenId, alcances, stale, ...usuario } = found;
  if (stale)
    await db
      .updateTable('tokenApi')
      .set({ usadoEn: sql<Date>`now()` })
      .where('id', '=', tokenId)
      .execute();
  return { id: tokenId, usuario, alcances };
}
