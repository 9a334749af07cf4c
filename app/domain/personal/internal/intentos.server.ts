import type { Db } from '~db/client.server';
import { record } from '~/platform/bitacora.server';
import { LimitReached, Saturated } from '~/core/errors';
import { findDispositivo } from '~/domain/personal/dispositivos.server';
import { takeRate, takeTry, type Try } from '~/platform/rateLimit.server';

/** Limit of the failures of strangers from one address, whomever they name. */
const PER_ADDRESS = { hits: 50, seconds: 900 };

/** Limits of the lines about failures in the bitacora: for each user, and for all names that nobody has. */
const LINES = { known: { hits: 20, seconds: 3_600 }, unknown: { hits: 100, seconds: 3_600 } };

/** The caller has to wait (429). */
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

/** A person who tries to enter, and from where. */
export type Quien = {
  usuario: string;
  ip: string;
  /** Token of a browser that was entered from before, if there is one. */
  dispositivo?: string | null;
};

/** A try at the door. */
export type LoginTry = Pick<Try, 'fallos' | 'forget' | 'giveBack'>;

/**
 * Takes a try at the door, of a password or of a code: both count the same failures. Throws `TooManyAttempts` when the caller has to wait.
 *
 * A browser in which this person entered before has a count of its own. Everybody else shares the count of the account, wherever they are, and that
 * of their address. So guesses from many addresses get no further than guesses from one, and neither a stranger nor somebody in the same office keeps
 * people off their own computers.
 */
export async function takeLoginTry(db: Db, { usuario, ip, dispositivo }: Quien): Promise<LoginTry> {
  const known = dispositivo ? await findDispositivo(db, dispositivo, usuario) : undefined;
  if (known) return requireTry(await takeTry(db, `dispositivo:${known}`));

  // The address comes first: one that is used up moves no account.
  const address = await takeRate(db, `login:${ip}`, PER_ADDRESS);
  if (!address.allowed) throw new TooManyAttempts(address.retryAfterSeconds);
  const account = await takeTry(db, `cuenta:${usuario.toLowerCase()}`);
  // A caller who insists on one account does not use up the address for everybody else there.
  if (!account.allowed) await address.giveBack();
  requireTry(account);
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

/**
 * Takes a try of a person who is signed in. Throws `TooManyAttempts`. Called outside of any transaction: a refusal that undoes one must not undo the
 * count.
 */
export async function takeOwnTry(db: Db, usuarioId: string): Promise<Try> {
  return requireTry(await takeTry(db, `actual:${usuarioId}`));
}

function requireTry(one: Try): Try {
  if (!one.allowed) throw new TooManyAttempts(one.retryAfterSeconds);
  return one;
}

/** Runs a look, and gives the try back when the look was `Saturated`: what was never looked at is nobody's failure. */
export async function lookAt<T>(attempt: Pick<Try, 'giveBack'>, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Saturated) await attempt.giveBack();
    throw error;
  }
}

/**
 * Tells the bitacora which user was tried and from where. A name that nobody has is not told, since it may be a password in the wrong field. A flood
 * leaves so many lines an hour, the last of which tells that there were more. `quien` is the person whose session the failure came from.
 */
export async function recordFailure(
  db: Db,
  usuarioId: string | undefined,
  datos: { motivo: string; direccion: string; fallos: number },
  quien: string | null = null,
): Promise<void> {
  const entidadId = usuarioId ?? 'desconocido';
  const line = await takeRate(db, `bitacora:login:${entidadId}`, usuarioId ? LINES.known : LINES.unknown);
  if (!line.allowed) return;
  await record(db, {
    usuarioId: quien,
    entidad: 'sesion',
    entidadId,
    accion: 'rechazar',
    datos: { ...datos, ...(line.last && { masSinAnotar: true }) },
  });
}
