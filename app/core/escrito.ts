import { z } from 'zod';
import { readTyped, type Lectura } from './readTyped';
import { TELEFONO_NO_VALIDO } from './telefono';

/** Schemas of what people write in many ways and we keep in one. Each takes the text the field shows when nothing sensible can be read. */

/** Which of our transforms read with `leer`: a browser can do what they do. */
const LECTURAS = new WeakMap<object, Lectura>();

export function lecturaOf(transform: unknown): Lectura | undefined {
  return typeof transform === 'function' ? LECTURAS.get(transform) : undefined;
}

function escrito(vacio: string, lectura: Lectura) {
  const read = (text: string, ctx: z.RefinementCtx) => {
    const leido = readTyped(text, text.trim() === '' ? { ...lectura, noValido: vacio } : lectura);
    if ('valor' in leido) return leido.valor;
    ctx.addIssue({ code: 'custom', message: leido.porQue });
    return z.NEVER;
  };
  LECTURAS.set(read, lectura);
  return z.string({ error: vacio }).transform(read);
}

/** '1234.50' out of any usual way of writing it. What could be two amounts is refused with both. */
export const importeEscrito = (vacio: string, noValido: string, entre: { min?: string; max?: string } = {}) =>
  escrito(vacio, { ...entre, de: 'importe', noValido });

/** '12', as amounts are written. */
export const enteroEscrito = (vacio: string, noValido: string, entre: { min?: string; max?: string } = {}) =>
  escrito(vacio, { ...entre, de: 'entero', noValido });

/** Ten digits, and the extension if there is one. */
export const telefonoEscrito = (vacio: string, noValido: string = TELEFONO_NO_VALIDO) =>
  escrito(vacio, { de: 'telefono', noValido });
