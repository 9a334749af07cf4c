import { z } from 'zod';
import { readTyped, type TypedAs } from './readTyped';
import { TELEFONO_NO_VALIDO } from './telefono';

/**
 * Schemas of values that people write in many ways and rows store in a single way. Each takes the error text of its
 * field.
 */

/** Reading behind each transform made here, so that a browser can repeat the reading (`TypedAs`). */
const LECTURAS = new WeakMap<object, TypedAs>();

/** Returns the reading behind a transform of a schema; undefined for transforms made elsewhere. */
export function lecturaOf(transform: unknown): TypedAs | undefined {
  return typeof transform === 'function' ? LECTURAS.get(transform) : undefined;
}

function escrito(vacio: string, lectura: TypedAs) {
  const read = (text: string, ctx: z.RefinementCtx) => {
    const leido = readTyped(text, text.trim() === '' ? { ...lectura, noValido: vacio } : lectura);
    if ('valor' in leido) return leido.valor;
    ctx.addIssue({ code: 'custom', message: leido.porQue });
    return z.NEVER;
  };
  LECTURAS.set(read, lectura);
  return z.string({ error: vacio }).transform(read);
}

/**
 * A schema of pesos: reads any usual way of writing and returns '1234.50'. A text with two possible amounts is refused,
 * and the error names both. `entre` holds inclusive limits in pesos.
 */
export const importeEscrito = (vacio: string, noValido: string, entre: { min?: string; max?: string } = {}) =>
  escrito(vacio, { ...entre, de: 'importe', noValido });

/** A schema of a whole number, written as amounts are; returns its digits. `entre` holds inclusive limits. */
export const enteroEscrito = (vacio: string, noValido: string, entre: { min?: string; max?: string } = {}) =>
  escrito(vacio, { ...entre, de: 'entero', noValido });

/** A schema of a Mexican telephone: returns ten digits, and the extension if written. */
export const telefonoEscrito = (vacio: string, noValido: string = TELEFONO_NO_VALIDO) =>
  escrito(vacio, { de: 'telefono', noValido });
