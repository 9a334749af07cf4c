import { z } from 'zod';
import { dudaDeImporte, leerImporte } from './importe';
import { guardarTelefono, leerTelefono, TELEFONO_NO_VALIDO } from './telefono';

/** Schemas of what people write in many ways and we keep in one. Each takes the text the field shows when nothing sensible can be read. */

/** '1234.50' out of any usual way of writing it. What could be two amounts is refused with both. */
export const importeEscrito = (vacio: string, noValido: string) =>
  z.string({ error: vacio }).transform((text, ctx) => {
    const lectura = leerImporte(text);
    if (lectura.clase === 'importe') return lectura.importe;
    const message =
      lectura.clase === 'dudoso' ? dudaDeImporte(lectura.lecturas) : text.trim() === '' ? vacio : noValido;
    ctx.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** Ten digits, and the extension if there is one. */
export const telefonoEscrito = (vacio: string, noValido: string = TELEFONO_NO_VALIDO) =>
  z.string({ error: vacio }).transform((text, ctx) => {
    const telefono = leerTelefono(text);
    if (telefono) return guardarTelefono(telefono);
    ctx.addIssue({ code: 'custom', message: text.trim() === '' ? vacio : noValido });
    return z.NEVER;
  });
