import { env } from '~/core/env.server';
import { Saturated } from '~/core/errors';
import { log } from '~/core/log.server';
import { createSlots } from '~/core/slots';
import { takeRate } from '~/platform/rateLimit.server';
import { Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Cedula } from '~/integrations/sat/cedula';
import { createSat } from '~/integrations/sat/client.server';
import type { Db } from '~db/client.server';
import { constanciaOfSat, type Constancia } from './constancia';

/** The SAT's answer about a cédula. */
export type DelSat = { tipo: 'dice'; constancia: Constancia } | { tipo: 'ninguna' } | { tipo: 'sinRespuesta' };

/** Limit of questions of all our processes together: the SAT's page is made for people. */
const RITMO = { hits: 30, seconds: 60 };
/** Few questions at once: while the SAT does not answer, others are told so at once instead of waiting in line. */
const slots = createSlots({ atOnce: 2, waiting: 2, full: () => new Saturated('El SAT no contesta.', 10) });

/** Asks the SAT about a cédula. An SAT that does not answer is no error: the form is filled in by hand. */
export async function askSat(db: Db, cedula: Cedula): Promise<DelSat> {
  const { SAT_URL } = env();
  if (SAT_URL === '' || !(await takeRate(db, 'sat:cedula', RITMO)).allowed) return { tipo: 'sinRespuesta' };
  try {
    const ficha = await slots.run(() => createSat({ baseUrl: SAT_URL }).find(cedula));
    return ficha ? { tipo: 'dice', constancia: constanciaOfSat(ficha) } : { tipo: 'ninguna' };
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof UnexpectedShape || error instanceof Saturated)) throw error;
    log.warn('el SAT no dijo nada de una constancia', { error: error.message });
    return { tipo: 'sinRespuesta' };
  }
}
