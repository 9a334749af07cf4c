import type { RequestHandler } from 'express';
import { env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { refuseAtDoor } from './address.server';

/** When who was told so may come back. */
const LATER_S = 5;
/** The log tells it at most this often. */
const TELL_MS = 10_000;

/**
 * Answers 503 while those that came before have waited for the database longer than DB_ESPERA: a request more would wait as long, and be refused after ten
 * seconds. What needs no database is answered before. The pages of the staff keep what was typed, and read again by themselves.
 */
export function shed(waitedMs: () => number): RequestHandler {
  let told = -Infinity;
  let refused = 0;
  return (_req, res, next) => {
    if (waitedMs() <= env().DB_ESPERA * 1_000) return next();
    refused++;
    if (performance.now() - told > TELL_MS) {
      log.warn('la base de datos no alcanza: se pide volver después', { peticiones: refused });
      [told, refused] = [performance.now(), 0];
    }
    res.set({ 'Retry-After': String(LATER_S), 'Cache-Control': 'no-store' });
    refuseAtDoor(
      res,
      503,
      'Hay demasiado trabajo en este momento y no se hizo nada. Vuelve a intentarlo en unos segundos.',
    );
  };
}
