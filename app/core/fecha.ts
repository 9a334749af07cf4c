import { isDia } from './text';

/**
 * Result of reading a day: `valor` is 'YYYY-MM-DD', with 'THH:mm' where an hour was wanted; `motivo` is the error for
 * the field.
 */
export type FechaLeida = { valor: string } | { motivo: string };

const PRIMERO_EL_DIA = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/;
const SEGUIDA = /^(\d{2})(\d{2})(\d{4}|\d{2})$/;
const PRIMERO_EL_ANIO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const HORA = /^(\d{1,2}):(\d{2})(?::\d{2})?(?:\.\d+)?Z?$/;

/**
 * Reads a day as people write or paste days: 'dd/mm/aaaa', 'd/m/aa', 'ddmmaaaa', 'aaaa-mm-dd'. The day comes first
 * unless the year does. `hora` is the hour to assume when the text has none; without `hora`, hours in the text are
 * ignored.
 */
export function parseFecha(text: string, hora?: string): FechaLeida {
  const [escrito = '', reloj] = text.trim().split(/\s+|T/);
  const anio = PRIMERO_EL_ANIO.exec(escrito);
  const dia = anio ? [anio[3]!, anio[2]!, anio[1]!] : (PRIMERO_EL_DIA.exec(escrito) ?? SEGUIDA.exec(escrito))?.slice(1);
  if (!dia)
    return { motivo: hora ? 'Escribe la fecha y la hora como dd/mm/aaaa hh:mm.' : 'Escribe la fecha como dd/mm/aaaa.' };
  const [dd, mm, aa] = dia.map((part) => part.padStart(2, '0')) as [string, string, string];
  const valor = `${aa.length === 2 ? `20${aa}` : aa}-${mm}-${dd}`;
  if (!isDia(valor))
    return {
      motivo: Number(mm) > 12 ? 'Ese día no existe: primero va el día y después el mes.' : 'Ese día no existe.',
    };
  if (hora === undefined) return { valor };
  if (reloj === undefined) return { valor: `${valor}T${hora}` };
  const [, horas = '99', minutos = '99'] = HORA.exec(reloj) ?? [];
  if (Number(horas) > 23 || Number(minutos) > 59) return { motivo: 'Esa hora no existe.' };
  return { valor: `${valor}T${horas.padStart(2, '0')}:${minutos}` };
}

/** Returns 'dd/mm/aaaa', followed by 'hh:mm' when the value has an hour; '' for an empty value. */
export function writeFecha(valor: string): string {
  const [dia = '', hora] = valor.split('T');
  const escrito = dia.split('-').reverse().join('/');
  return hora ? `${escrito} ${hora.slice(0, 5)}` : escrito;
}
