import { createHash, randomBytes } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { env } from '~/core/env.server';
import type { Db, Trx } from '~db/client.server';
import { record } from '~/domain/bitacora.server';
import { LimitReached, NotAllowed, Saturated } from '~/core/errors';
import { verifyPassword } from './passwordHash.server';
import { takeRate, takeTurn, type Turn } from './rateLimit.server';
import type { Usuario } from './usuario';

/** How long a session lives without being used. */
export const SESSION_SECONDS = { recordar: 30 * 86_400, breve: 12 * 3_600 } as const;
/** How long a browser stays known without anybody entering there. */
export const DISPOSITIVO_SECONDS = 365 * 86_400;
/** A session in use moves its end at most this often, so that reading pages does not write a row each. */
const TOUCH_SECONDS = 600;

/** Failures of strangers from one address, whomever they name. */
const PER_ADDRESS = { hits: 50, seconds: 900 };

/** Lines of the bitacora about failures: for each user, and for all names that nobody has. */
const LINES = { known: { hits: 20, seconds: 3_600 }, unknown: { hits: 100, seconds: 3_600 } };

const DESCONOCIDO = 'Usuario o contraseña incorrectos.';

export type Sesion = {
  usuario: Usuario;
  recordar: boolean;
  /** Its end was just moved: the cookie wants renewing. */ renewed: boolean;
};

const fingerprint = (token: string) => createHash('sha256').update(token).digest();

/** 429: the caller has to wait. */
export class TooManyAttempts extends LimitReached {
  constructor(retryAfterSeconds: number) {
    const minutes = Math.ceil(retryAfterSeconds / 60);
    super(
      `Demasiados intentos. Espera ${minutes} ${minutes === 1 ? 'minuto' : 'minutos'} y vuelve a intentarlo.`,
      retryAfterSeconds,
      'Error de autenticación.',
    );
    this.name = 'TooManyAttempts';
  }
}

export type Intento = {
  usuario: string;
  password: string;
  ip: string;
  /** The token of a browser that entered before, if it brought one. */
  dispositivo?: string | null;
};

/**
 * Asks those who are signed in for their password once more, before what a computer left open should not be able to do. Guesses wait longer and longer, and are told.
 * Outside of any transaction: a refusal that undoes it must not undo its count.
 */
export async function requirePassword(
  db: Db,
  usuario: Pick<Usuario, 'id'>,
  password: string,
  { ip, titulo, campo }: { ip: string; titulo: string; campo: string },
): Promise<void> {
  const turn = await takeTurn(db, `actual:${usuario.id}`);
  if (!turn.allowed) throw new TooManyAttempts(turn.retryAfterSeconds);
  const found = await db.selectFrom('usuario').select('passwordHash').where('id', '=', usuario.id).executeTakeFirst();
  if (!(await lookAt(turn, () => verifyPassword(found?.passwordHash, password)))) {
    await recordFailure(db, usuario.id, { motivo: 'contraseña actual', direccion: ip, fallos: turn.fallos });
    throw new NotAllowed(titulo, 'La contraseña actual no es correcta.', { campo });
  }
  await turn.forget();
}

type LoginTurn = Pick<Turn, 'fallos' | 'forget' | 'giveBack'>;

/**
 * Who is this? One answer, and one amount of work, for an unknown user, a wrong password and an inactive user. Counters move before
 * the password is checked and are given back when it was right.
 *
 * A browser in which this person entered before has its own count. Everybody else shares that of the account, wherever they are, and that of their address. So
 * guessing from many addresses gets no further than from one, and neither a stranger nor somebody in the same office keeps people off their own computers.
 */
export async function authenticate(db: Db, intento: Intento): Promise<Usuario & { version: number }> {
  const { usuario, password } = intento;
  const turn = await takeLoginTurn(db, intento);
  const found = await db
    .selectFrom('usuario')
    .select(['id', 'usuario', 'nombre', 'apellidos', 'email', 'rol', 'activo', 'version', 'passwordHash'])
    .where(sql`lower(usuario)`, '=', usuario.toLowerCase())
    .executeTakeFirst();
  const matches = await lookAt(turn, () => verifyPassword(found?.passwordHash, password));
  if (!found || !matches || !found.activo) {
    const motivo = !found ? 'desconocido' : matches ? 'inactivo' : 'contraseña';
    await recordFailure(db, found?.id, { motivo, direccion: intento.ip, fallos: turn.fallos });
    throw new NotAllowed('Error de autenticación.', DESCONOCIDO);
  }

  await turn.forget();
  const { passwordHash: _, ...known } = found;
  return known;
}

/**
 * Tells the bitacora who was tried and from where. A name that nobody has stays untold: it may be a password in the wrong field. A flood leaves so many lines an
 * hour, the last of which says that there were more.
 */
async function recordFailure(
  db: Db,
  usuarioId: string | undefined,
  datos: { motivo: string; direccion: string; fallos: number },
): Promise<void> {
  const entidadId = usuarioId ?? 'desconocido';
  const line = await takeRate(db, `bitacora:login:${entidadId}`, usuarioId ? LINES.known : LINES.unknown);
  if (!line.allowed) return;
  await record(db, {
    usuarioId: null,
    entidad: 'sesion',
    entidadId,
    accion: 'rechazar',
    datos: { ...datos, ...(line.last && { masSinAnotar: true }) },
  });
}

/** What was never looked at is no failure of anybody. */
async function lookAt<T>(turn: Pick<Turn, 'giveBack'>, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Saturated) await turn.giveBack();
    throw error;
  }
}

async function takeLoginTurn(db: Db, { usuario, ip, dispositivo }: Intento): Promise<LoginTurn> {
  const known = dispositivo ? await findDispositivo(db, dispositivo, usuario) : undefined;
  if (known) return requireTurn(await takeTurn(db, `dispositivo:${known}`));

  // The address first: one that is used up moves no account.
  const address = await takeRate(db, `login:${ip}`, PER_ADDRESS);
  if (!address.allowed) throw new TooManyAttempts(address.retryAfterSeconds);
  const account = await takeTurn(db, `cuenta:${usuario.toLowerCase()}`);
  // Whoever insists on one account does not use up the address of all others there.
  if (!account.allowed) await address.giveBack();
  requireTurn(account);
  return {
    fallos: account.fallos,
    async forget() {
      await Promise.all([address.giveBack(), account.forget()]);
    },
    async giveBack() {
      await Promise.all([address.giveBack(), account.giveBack()]);
    },
  };
}

function requireTurn(turn: Turn): Turn {
  if (!turn.allowed) throw new TooManyAttempts(turn.retryAfterSeconds);
  return turn;
}

async function findDispositivo(db: Db, token: string, usuario: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('dispositivo')
    .innerJoin('usuario', 'usuario.id', 'dispositivo.usuarioId')
    .select('dispositivo.id')
    .where('dispositivo.tokenHash', '=', fingerprint(token))
    .where(sql`lower(usuario.usuario)`, '=', usuario.toLowerCase())
    .executeTakeFirst();
  return found?.id;
}

/**
 * Remembers that this person entered in this browser, and returns the token it is known by from now on. The token it brought ends, so that one planted in it
 * is worth nothing; what it stood for, other people of the same computer among it, goes over to the new one with its counts.
 */
export async function rememberDispositivo(trx: Trx, usuarioId: string, brought: string | null): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const tokenHash = fingerprint(token);
  if (brought) {
    await trx.updateTable('dispositivo').set({ tokenHash }).where('tokenHash', '=', fingerprint(brought)).execute();
  }
  await trx
    .insertInto('dispositivo')
    .values({ tokenHash, usuarioId })
    .onConflict((conflict) => conflict.columns(['tokenHash', 'usuarioId']).doUpdateSet({ vistoEn: sql`now()` }))
    .execute();
  return token;
}

/**
 * Opens a session and returns its token, which exists in the browser only; the table keeps its hash. With the `version` that was
 * authenticated it refuses a user who changed since: a password or a right taken away meanwhile opens nothing.
 */
export async function openSession(
  trx: Trx,
  usuario: { id: string; version?: number },
  recordar: boolean,
): Promise<string> {
  const now = await trx
    .selectFrom('usuario')
    .select(['activo', 'version'])
    .where('id', '=', usuario.id)
    .forShare()
    .executeTakeFirst();
  if (!now?.activo || (usuario.version !== undefined && usuario.version !== now.version))
    throw new NotAllowed('Error de autenticación.', DESCONOCIDO);
  const token = randomBytes(32).toString('base64url');
  await trx
    .insertInto('sesion')
    .values({ tokenHash: fingerprint(token), usuarioId: usuario.id, recordar, venceEn: endOf(recordar) })
    .execute();
  await record(trx, {
    usuarioId: usuario.id,
    entidad: 'sesion',
    entidadId: usuario.id,
    accion: 'abrir',
    datos: { recordar },
  });
  return token;
}

/** The living session of a token, its end moved when it is time. An inactive user has none. */
export async function readSession(db: Db | Trx, token: string): Promise<Sesion | null> {
  const tokenHash = fingerprint(token);
  const row = await db
    .selectFrom('sesion')
    .innerJoin('usuario', 'usuario.id', 'sesion.usuarioId')
    .select([
      'usuario.id',
      'usuario.usuario',
      'usuario.nombre',
      'usuario.apellidos',
      'usuario.email',
      'usuario.rol',
      'usuario.activo',
      'sesion.recordar',
    ])
    .select(sql<boolean>`sesion.vista_en < now() - make_interval(secs => ${TOUCH_SECONDS})`.as('stale'))
    .where('sesion.tokenHash', '=', tokenHash)
    .where('sesion.venceEn', '>', sql<Date>`now()`)
    .where('sesion.creadaEn', '>', sql<Date>`now() - ${oldest(sql.ref('sesion.recordar'))}`)
    .where('usuario.activo', '=', true)
    .executeTakeFirst();
  if (!row) return null;
  const { recordar, stale, ...usuario } = row;
  if (stale) {
    await db
      .updateTable('sesion')
      .set({ vistaEn: sql`now()`, venceEn: endOf(recordar) })
      .where('tokenHash', '=', tokenHash)
      .execute();
  }
  return { usuario, recordar, renewed: stale };
}

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

/** No browser is known any more: a password that had to be changed may have been somebody else's too. */
export async function forgetDispositivos(trx: Trx, usuarioId: string): Promise<void> {
  await trx.deleteFrom('dispositivo').where('usuarioId', '=', usuarioId).execute();
}

/** A session older than this ends however much it is used. Asked when it is read: a setting made shorter ends what is too old at once. */
function oldest(recordar: RawBuilder<unknown>) {
  const { SESION_DIAS, SESION_HORAS } = env();
  return sql`case when ${recordar} then make_interval(days => ${SESION_DIAS}::int) else make_interval(hours => ${SESION_HORAS}::int) end`;
}

/** Every session of a user ends with the transaction that took away what it was based on. */
export async function revokeSessions(trx: Trx, usuarioId: string): Promise<void> {
  await trx.deleteFrom('sesion').where('usuarioId', '=', usuarioId).execute();
}

function endOf(recordar: boolean) {
  const seconds = recordar ? SESSION_SECONDS.recordar : SESSION_SECONDS.breve;
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
}
