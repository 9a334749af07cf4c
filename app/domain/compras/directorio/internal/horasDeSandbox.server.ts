import { readFileSync } from 'node:fs';
import { env } from '~/core/env.server';
import { civilDateTime, instantOf } from '~/core/time';

const ZONA = 'America/Mexico_City';

/**
 * Returns the moment by which a supplier's hours are told: `now`, or today at the hour that the sandbox's setting names. The setting moves only
 * suppliers that the sandbox plays.
 */
export function horasAt(direccion: string, now = new Date()): Date {
  const { SANDBOX_HORAS, SANDBOX_URL } = env();
  if (SANDBOX_HORAS === '' || !isAt(direccion, SANDBOX_URL)) return now;
  const hora = readHora(SANDBOX_HORAS);
  return hora === undefined ? now : instantOf(`${civilDateTime(now, ZONA).slice(0, 10)}T${hora}:00`, ZONA);
}

const isAt = (direccion: string, sandbox: string): boolean =>
  URL.canParse(direccion) && URL.canParse(sandbox) && new URL(direccion).origin === new URL(sandbox).origin;

/** Reads the hour in the file of the sandbox; undefined while the file is not there or names no hour. */
function readHora(file: string): string | undefined {
  try {
    return /^(?:[01]\d|2[0-3]):[0-5]\d$/.exec(readFileSync(file, 'utf8').trim())?.[0];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
