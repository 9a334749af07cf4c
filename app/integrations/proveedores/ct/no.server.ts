import { z } from 'zod';
import { tableOf } from '~/core/table';
import { Refused, Unavailable } from '../../errors';
import type { HttpAnswer } from '../../http.server';
import { parseStorable } from '../../json';
import type { ClaseDeNo } from '../cara';
import { cualquiera, texto, unoOf } from '../leer';
import { negado, textoOf } from '../llamar.server';

/** Name of CT in texts. */
export const LABEL = 'CT';

const codigo = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);
/** A refusal has one of two shapes, alone or as the first of a list, with any status. */
const No = unoOf(
  z.object({ errorCode: codigo, errorMessage: texto, codigo, mensaje: texto, status: cualquiera }).catch({
    errorMessage: null,
    mensaje: null,
  }),
);

const CLASES: Readonly<Record<string, ClaseDeNo>> = tableOf({ 4000: 'sinCredito', 4008: 'sinExistencia' });
const MANTENIMIENTO = '5033';
/** Code of a refused token. */
export const NO_AUTORIZADO = '4010';

/** Returns the refusal in an answer; undefined when there is none. Only some codes are known, so an unknown code is a refusal too. */
export function noEn(json: unknown): { code: string; words: string } | undefined {
  const { data } = No.safeParse(json);
  // A product has a `codigo` too: its key.
  const code = data?.errorCode ?? (data?.mensaje ? data.codigo : undefined);
  if (code !== undefined && code !== '2000')
    return { code, words: data?.errorMessage ?? data?.mensaje ?? `error ${code}` };
  return typeof data?.status === 'number' && data.status !== 200
    ? { code: String(data.status), words: data.errorMessage ?? data.mensaje ?? `error ${data.status}` }
    : undefined;
}

/** Returns the refusal in an HTTP answer; undefined when there is none, or when it is no JSON. */
export function noOf(answer: HttpAnswer): ReturnType<typeof noEn> {
  try {
    return noEn(parseStorable(textoOf(answer).replace(/^\ufeff/, '')));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns the error that a refusal's code stands for. */
export function fallaPorCodigo({ code, words }: { code: string; words: string }, answer: HttpAnswer) {
  const { status } = answer;
  if (code === MANTENIMIENTO) return new Unavailable(`${LABEL}: ${words}`, { status, raw: textoOf(answer) });
  if (code === NO_AUTORIZADO) return new Refused(`${LABEL}: ${words}`, { status, account: true, raw: textoOf(answer) });
  return negado(`${LABEL}: ${words}`, CLASES[code] ?? 'desconocido', answer);
}
