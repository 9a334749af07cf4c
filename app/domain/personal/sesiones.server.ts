import { sql, type RawBuilder } from 'kysely';
import { PREFERENCIAS, type Preferencias } from '~/core/aspecto';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { FIN_DEL_PLAZO, obligacionOf } from '~/domain/personal/internal/obligacion.server';
import { fingerprint, newToken } from '~/domain/personal/internal/token.server';
import { revokeTokensApi } from './tokensApi.server';
import type { Usuario } from '~/core/usuario';

/** How long a session lives without being used, in seconds: remembered, and brief. */
export const SESSION_SECONDS = { recordar: 30 * 86_400, breve: 12 * 3_600 } as const;
/** How often a session in use moves its end, in seconds, so that not each page writes a row. */
const TOUCH_SECONDS = 600;

/** SQL: the number of places where the user of a query is signed in. */
export const SESIONES = sql<number>`(
  select count(*)::int from sesion
  where sesion.usuario_id = usuario.id and sesion.vence_en > now())`;

/** The one answer to an unknown user, a wrong password and an inactive user. */
export const DESCONOCIDO = 'Usuario o contraseña incorrectos.';

/** A living session, with the person it belongs to. */
export type Sesion = {
  usuario: Usuario;
  recordar: boolean;
  /** True when the end of the session was just moved: the cookie has to be renewed. */
  renewed: boolean;
  /** True when the person gave a password or a code a moment ago (setting PRUEBA_MINUTOS). */
  probada: boolean;
  /** True when the role has to have a second factor and the person has none: they make one before anything else. */
  debeActivar: boolean;
  /** End of the grace of a person who has to have a second factor and has none yet; null for everybody else. */
  plazoSegundoFactor: Date | null;
  /** True for a session that only the API takes: no screen opens with it. */
  soloApi: boolean;
  /** Moment of the code that was given for the session; null without a second factor. */
  segundoFactorEn: Date | null;
  preferencias: Preferencias;
};

/**
 * Opens a session and returns its token, which exists in the browser only; the table keeps its hash. With the `version` that was authenticated it
 * throws `NotAllowed` for a user who changed since: a password or a right that was taken away meanwhile opens nothing. A session without
 * `segundoFactorEn` is of no use to a person who has a second factor.
 */
export async function openSession(
  trx: Trx,
  usuario: { id: string; version?: number },
  recordar: boolean,
  segundoFactorEn: Date | 'ahora' | null = null,
  { soloApi = false, claveApiId = null }: { soloApi?: boolean; claveApiId?: string | null } = {},
): Promise<string> {
  const now = await trx
    .selectFrom('usuario')
    .select(['activo', 'version'])
    .where('id', '=', usuario.id)
    .forShare()
    .executeTakeFirst();
  if (!now?.activo || (usuario.version !== undefined && usuario.version !== now.version))
    throw new NotAllowed('Error de autenticación.', DESCONOCIDO);
  const token = newToken();
  await trx
    .insertInto('sesion')
    .values({
      tokenHash: fingerprint(token),
      usuarioId: usuario.id,
      recordar,
      venceEn: endOf(recordar),
      segundoFactorEn: segundoFactorEn === 'ahora' ? sql<Date>`now()` : segundoFactorEn,
      soloApi,
      claveApiId,
    })
    .execute();
  await record(trx, {
    usuarioId: usuario.id,
    entidad: 'sesion',
    entidadId: usuario.id,
    accion: 'abrir',
    datos: {
      recordar,
      ...(segundoFactorEn !== null && { segundoFactor: true }),
      ...(claveApiId !== null && { claveApi: claveApiId }),
    },
  });
  return token;
}

/** Where a session is used: the place in the network, and the browser as it names itself. */
export type Lugar = { direccion: string; navegador: string | null };

/**
 * Returns the living session of a token, and moves its end when it is time. With `lugar` the session remembers where it was last used. Null for an inactive user, and for a person who has a second factor and
 * did not show it.
 */
export async function readSession(db: Db | Trx, token: string, lugar?: Lugar): Promise<Sesion | null> {
  const tokenHash = fingerprint(token);
  const row = await db
    .selectFrom('sesion')
    .innerJoin('usuario', 'usuario.id', 'sesion.usuarioId')
    .leftJoin('segundoFactor', (on) =>
      on.onRef('segundoFactor.usuarioId', '=', 'usuario.id').on('segundoFactor.confirmadoEn', 'is not', null),
    )
    .leftJoin('plazoSegundoFactor', 'plazoSegundoFactor.usuarioId', 'usuario.id')
    .leftJoin('preferencia', 'preferencia.usuarioId', 'usuario.id')
    .select([
      'usuario.id',
      'usuario.usuario',
      'usuario.nombre',
      'usuario.apellidos',
      'usuario.email',
      'usuario.rol',
      'usuario.activo',
      'sesion.recordar',
      'sesion.segundoFactorEn',
      'sesion.direccion',
      'sesion.soloApi',
      'sesion.claveApiId',
      'preferencia.apariencia',
      'preferencia.densidad',
      'preferencia.cajonPlegado',
      'preferencia.panelesAnchos',
      'preferencia.teclas',
      'preferencia.plegados',
      'preferencia.fijados',
      'preferencia.etiquetas',
      'preferencia.inicio',
    ])
    .select([
      sql<boolean>`sesion.vista_en < now() - make_interval(secs => ${TOUCH_SECONDS})`.as('stale'),
      sql<boolean>`sesion.probada_en > now() - make_interval(mins => ${env().PRUEBA_MINUTOS}::int)`.as('probada'),
      sql<boolean>`segundo_factor.usuario_id is not null`.as('conSegundoFactor'),
      FIN_DEL_PLAZO.as('finDelPlazo'),
      sql<boolean>`coalesce(${FIN_DEL_PLAZO} <= now(), false)`.as('plazoVencido'),
    ])
    .where('sesion.tokenHash', '=', tokenHash)
    .where('sesion.venceEn', '>', sql<Date>`now()`)
    .where('sesion.creadaEn', '>', sql<Date>`now() - ${oldest(sql.ref('sesion.recordar'))}`)
    .where('usuario.activo', '=', true)
    .where((eb) =>
      eb.or([
        eb('segundoFactor.usuarioId', 'is', null),
        eb('sesion.segundoFactorEn', 'is not', null),
        eb('sesion.claveApiId', 'is not', null),
        // A program that entered by a password alone goes on until the grace of its person ends.
        eb.and([eb('sesion.soloApi', '=', true), eb(FIN_DEL_PLAZO, '>', sql<Date>`now()`)]),
      ]),
    )
    .executeTakeFirst();
  if (!row) return null;
  const { recordar, stale, conSegundoFactor, segundoFactorEn, direccion, ...rest } = row;
  const { soloApi, claveApiId, finDelPlazo, plazoVencido, probada, ...person } = rest;
  const {
    apariencia,
    densidad,
    cajonPlegado,
    panelesAnchos,
    teclas,
    plegados,
    fijados,
    etiquetas,
    inicio,
    ...usuario
  } = person;
  const preferencias = {
    apariencia: apariencia ?? PREFERENCIAS.apariencia,
    densidad: densidad ?? PREFERENCIAS.densidad,
    cajonPlegado: cajonPlegado ?? PREFERENCIAS.cajonPlegado,
    panelesAnchos: panelesAnchos ?? PREFERENCIAS.panelesAnchos,
    teclas: teclas ?? PREFERENCIAS.teclas,
    plegados: plegados ?? PREFERENCIAS.plegados,
    fijados: fijados ?? PREFERENCIAS.fijados,
    etiquetas: etiquetas ?? PREFERENCIAS.etiquetas,
    inicio,
  };
  if (stale || (lugar && lugar.direccion !== direccion)) {
    await db
      .updateTable('sesion')
      .set({ vistaEn: sql`now()`, venceEn: endOf(recordar), ...lugar })
      .where('tokenHash', '=', tokenHash)
      .execute();
  }
  const obligacion = conSegundoFactor || claveApiId !== null ? null : obligacionOf(usuario.rol);
  const plazoSegundoFactor =
    obligacion === 'conPlazo' && !plazoVencido ? (finDelPlazo ?? (await startPlazo(db, usuario.id))) : null;
  return {
    usuario,
    recordar,
    renewed: stale,
    // Nobody stands behind an API password who could be asked.
    probada: probada && !soloApi,
    debeActivar: obligacion === 'ya' || (obligacion === 'conPlazo' && plazoVencido),
    plazoSegundoFactor,
    soloApi,
    segundoFactorEn,
    preferencias,
  };
}

/** Starts the grace of a person, unless it runs already, and returns its end. */
async function startPlazo(db: Db | Trx, usuarioId: string): Promise<Date | null> {
  await db
    .insertInto('plazoSegundoFactor')
    .values({ usuarioId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom('plazoSegundoFactor')
    .select(FIN_DEL_PLAZO.as('fin'))
    .where('usuarioId', '=', usuarioId)
    .executeTakeFirst();
  return row?.fin ?? null;
}

/** Notes that the person of a session just gave a password or a code. */
export async function noteProof(db: Db | Trx, token: string): Promise<void> {
  await db
    .updateTable('sesion')
    .set({ probadaEn: sql`now()` })
    .where('tokenHash', '=', fingerprint(token))
    .execute();
}

/** Notes that the person of a session just gave the first code of their second factor. */
export async function noteSegundoFactor(trx: Trx, token: string): Promise<void> {
  await trx
    .updateTable('sesion')
    .set({ probadaEn: sql`now()`, segundoFactorEn: sql`now()` })
    .where('tokenHash', '=', fingerprint(token))
    .execute();
}

/** Closes the session of a token. */
export async function closeSession(db: Db, token: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const closed = await trx
      .deleteFrom('sesion')
      .where('tokenHash', '=', fingerprint(token))
      .returning('usuarioId')
      .executeTakeFirst();
    if (closed)
      await record(trx, {
        usuarioId: closed.usuarioId,
        entidad: 'sesion',
        entidadId: closed.usuarioId,
        accion: 'cerrar',
      });
  });
}

/** SQL: the name of a session for its person. Nothing that opens the session can be made out of it. */
const ID = sql<string>`encode(sha256(token_hash), 'hex')`;

/** Returns the living sessions of a person, the last used first. `esta` is the one with this token. `vistaEn` is right to ten minutes. */
export async function listSesiones(db: Db | Trx, usuarioId: string, token: string | null) {
  return db
    .selectFrom('sesion')
    .select(['creadaEn', 'vistaEn', 'direccion', 'navegador', ID.as('id')])
    .select(sql<boolean>`coalesce(token_hash = ${token === null ? null : fingerprint(token)}::bytea, false)`.as('esta'))
    .where('usuarioId', '=', usuarioId)
    .where('venceEn', '>', sql<Date>`now()`)
    .where('creadaEn', '>', sql<Date>`now() - ${oldest(sql.ref('sesion.recordar'))}`)
    .orderBy('vistaEn', 'desc')
    .execute();
}

/** Ends one session of a person; one that has ended already stays so. Throws `NotAllowed` for the session with this token, which ends by 'Cerrar sesión'. */
export async function closeOwnSession(trx: Trx, usuarioId: string, id: string, token: string | null): Promise<void> {
  const row = await trx
    .selectFrom('sesion')
    .select('tokenHash')
    .where('usuarioId', '=', usuarioId)
    .where(ID, '=', id)
    .executeTakeFirst();
  if (!row) return;
  if (token !== null && row.tokenHash.equals(fingerprint(token)))
    throw new NotAllowed('Error.', 'Es la sesión en la que estás. Ciérrala con «Cerrar sesión».');
  await trx.deleteFrom('sesion').where('tokenHash', '=', row.tokenHash).execute();
  await record(trx, { usuarioId, entidad: 'sesion', entidadId: usuarioId, accion: 'cerrarUna' });
}

/** Ends every session of a person but the one with this token, and returns how many ended. Tokens of programs stay. */
export async function closeOtherSessions(trx: Trx, usuarioId: string, token: string | null): Promise<number> {
  const closed = await trx
    .deleteFrom('sesion')
    .where('usuarioId', '=', usuarioId)
    .$if(token !== null, (sesiones) => sesiones.where('tokenHash', '<>', fingerprint(token!)))
    .returning('usuarioId')
    .execute();
  if (closed.length > 0)
    await record(trx, {
      usuarioId,
      entidad: 'sesion',
      entidadId: usuarioId,
      accion: 'cerrarDemas',
      datos: { cuantas: closed.length },
    });
  return closed.length;
}

/** SQL: the longest age of a session, however much it is used. Compared at each read, so a shorter setting ends old sessions at once. */
function oldest(recordar: RawBuilder<unknown>) {
  const { SESION_DIAS, SESION_HORAS } = env();
  return sql`case
    when ${recordar} then make_interval(days => ${SESION_DIAS}::int)
    else make_interval(hours => ${SESION_HORAS}::int) end`;
}

/**
 * Ends every session of a user, and the tokens and API passwords of their programs, in the transaction that takes away what they were based on. `but` is
 * the token of a session that stays; with `claves` the API passwords stay, and what they opened.
 */
export async function revokeSessions(
  trx: Trx,
  usuarioId: string,
  { but, claves }: { but?: string; claves?: 'quedan' } = {},
): Promise<void> {
  if (claves === undefined)
    await trx
      .updateTable('claveApi')
      .set({ revocadaEn: sql<Date>`now()` })
      .where('usuarioId', '=', usuarioId)
      .where('revocadaEn', 'is', null)
      .execute();
  await trx
    .deleteFrom('sesion')
    .where('usuarioId', '=', usuarioId)
    .$if(claves === 'quedan', (sesiones) => sesiones.where('claveApiId', 'is', null))
    .$if(but !== undefined, (sesiones) => sesiones.where('tokenHash', '<>', fingerprint(but!)))
    .execute();
  await revokeTokensApi(trx, usuarioId);
}

function endOf(recordar: boolean) {
  const seconds = recordar ? SESSION_SECONDS.recordar : SESSION_SECONDS.breve;
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
}
