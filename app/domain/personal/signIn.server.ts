import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import type { Db, Trx } from '~db/client.server';
import { codigoRecordado } from './dispositivos.server';
import { lookAt, recordFailure, takeLoginTry, type Quien } from '~/domain/personal/internal/intentos.server';
import { hashPassword, isOutdated, verifyPassword } from '~/domain/personal/internal/passwordHash.server';
import { takeCodigo, takeRecuperacion } from './segundoFactor.server';
import { DESCONOCIDO } from './sesiones.server';
import { fingerprint, newToken } from '~/domain/personal/internal/token.server';
import type { Usuario } from '~/core/usuario';

/** How long a password waits for its code, in seconds. */
export const ENTRADA_SECONDS = 600;

const TITULO = 'Error de autenticación.';
const CODIGO_EQUIVOCADO = 'El código no es correcto o ya se usó. Espera a que cambie y escribe el nuevo.';
const RECUPERACION_EQUIVOCADA = 'El código de recuperación no es correcto o ya se usó.';

/** A try to enter by name and password. */
export type Intento = Quien & { password: string };

/** A person whose password was right. */
export type Autenticado = Usuario & {
  version: number;
  /** True when a code is asked before a session is opened. */
  faltaCodigo: boolean;
  /** Moment of the code that was given in this browser, which need not give it again. */
  segundoFactorEn: Date | null;
};

/**
 * Returns the person of a name and password. Throws `NotAllowed` with one answer for an unknown user, a wrong password and an inactive user, after
 * the same work, and `TooManyAttempts` when the caller has to wait. Counters move before the password is checked, and are given back when it was
 * right; they are forgotten only when no code is owed, since guesses of a code count on from guesses of a password.
 */
export async function authenticate(db: Db, { password, ...quien }: Intento): Promise<Autenticado> {
  const attempt = await takeLoginTry(db, quien);
  const found = await db
    .selectFrom('usuario')
    .leftJoin('segundoFactor', 'segundoFactor.usuarioId', 'usuario.id')
    .select([
      'id',
      'usuario',
      'nombre',
      'apellidos',
      'email',
      'rol',
      'activo',
      'version',
      'passwordHash',
      'confirmadoEn',
    ])
    .where(sql`lower(usuario)`, '=', quien.usuario.toLowerCase())
    .executeTakeFirst();
  const matches = await lookAt(attempt, () => verifyPassword(found?.passwordHash, password));
  if (!found || !matches || !found.activo) {
    const motivo = !found ? 'desconocido' : matches ? 'inactivo' : 'contraseña';
    await recordFailure(db, found?.id, { motivo, direccion: quien.ip, fallos: attempt.fallos });
    throw new NotAllowed(TITULO, DESCONOCIDO);
  }

  const { passwordHash, confirmadoEn, ...known } = found;
  // Nobody but the person who types it has the password, so a hash changes here.
  if (isOutdated(passwordHash))
    await db
      .updateTable('usuario')
      .set({ passwordHash: await hashPassword(password) })
      .where('id', '=', found.id)
      .where('passwordHash', '=', passwordHash)
      .execute();
  const segundoFactorEn =
    confirmadoEn && quien.dispositivo ? await codigoRecordado(db, quien.dispositivo, found.id) : null;
  const faltaCodigo = confirmadoEn !== null && segundoFactorEn === null;
  await (faltaCodigo ? attempt.giveBack() : attempt.forget());
  return { ...known, faltaCodigo, segundoFactorEn };
}

/** A person who gave their password and owes a code. */
export type Entrada = Pick<Usuario, 'id' | 'usuario' | 'rol'> & { version: number; recordar: boolean };

/** Keeps that a person gave their password and owes a code. Returns the token of that, which opens nothing else. */
export async function startEntrada(
  db: Db | Trx,
  usuario: { id: string; version: number },
  recordar: boolean,
): Promise<string> {
  const token = newToken();
  await db
    .insertInto('entrada')
    .values({
      tokenHash: fingerprint(token),
      usuarioId: usuario.id,
      version: usuario.version,
      recordar,
      venceEn: sql<Date>`now() + make_interval(secs => ${ENTRADA_SECONDS})`,
    })
    .execute();
  return token;
}

/** Returns the person who owes a code; null once it is too late, or when the person changed meanwhile. */
export async function findEntrada(db: Db | Trx, token: string): Promise<Entrada | null> {
  const found = await db
    .selectFrom('entrada')
    .innerJoin('usuario', (on) =>
      on.onRef('usuario.id', '=', 'entrada.usuarioId').onRef('usuario.version', '=', 'entrada.version'),
    )
    .select(['usuario.id', 'usuario.usuario', 'usuario.rol', 'usuario.version', 'entrada.recordar'])
    .where('entrada.tokenHash', '=', fingerprint(token))
    .where('entrada.venceEn', '>', sql<Date>`now()`)
    .where('usuario.activo', '=', true)
    .executeTakeFirst();
  return found ?? null;
}

/** Ends the wait for a code. */
export async function endEntrada(trx: Trx, token: string): Promise<void> {
  await trx.deleteFrom('entrada').where('tokenHash', '=', fingerprint(token)).execute();
}

type Donde = Omit<Quien, 'usuario'>;

/** Checks the code of the application. Throws `NotAllowed` for a wrong one; guesses count with those of the password. */
export async function passCodigo(db: Db, entrada: Entrada, codigo: string, donde: Donde): Promise<void> {
  await pass(db, entrada, donde, 'código', async () => {
    if (!(await takeCodigo(db, entrada.id, codigo)))
      throw new NotAllowed(TITULO, CODIGO_EQUIVOCADO, { campo: 'codigo' });
  });
}

/**
 * Checks a recovery code, kept for a lost telephone, and returns how many are left. Throws `NotAllowed` for a wrong one; guesses count with those of
 * the password.
 */
export async function passRecuperacion(db: Db, entrada: Entrada, codigo: string, donde: Donde): Promise<number> {
  return pass(db, entrada, donde, 'código de recuperación', async () => {
    const quedan = await takeRecuperacion(db, entrada.id, codigo);
    if (quedan === null) throw new NotAllowed(TITULO, RECUPERACION_EQUIVOCADA, { campo: 'recuperacion' });
    return quedan;
  });
}

async function pass<T>(db: Db, entrada: Entrada, donde: Donde, motivo: string, look: () => Promise<T>): Promise<T> {
  const attempt = await takeLoginTry(db, { ...donde, usuario: entrada.usuario });
  try {
    const passed = await look();
    await attempt.forget();
    return passed;
  } catch (error) {
    if (error instanceof NotAllowed)
      await recordFailure(db, entrada.id, { motivo, direccion: donde.ip, fallos: attempt.fallos });
    throw error;
  }
}
