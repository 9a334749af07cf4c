import { Refused } from '../errors';
import type { Negative } from './envelope';

/**
 * How far a no of factura.com is to be believed. It says no in the words of whatever failed behind it, and a stamp may have been made before
 * those words were written: only a no that names what is wrong with what was asked is a clear one.
 */
const ACCOUNT =
  /sello digital|\bCSD\b|sin timbres|timbres (?:disponibles|agotados)|cuenta (?:suspendida|inactiva|vencida)|\bplan no (?:cuenta|incluye|permite)/i;

/** Something exists there: it is looked up. */
const EXISTS =
  /ya existe un (?:cfdi|comprobante)|timbre previo|(?:ya|previamente) (?:\S+ )?timbrad|(?:comprobante|cfdi|folio) (?:repetid|duplicad)/i;

export const saysExists = (text: string) => EXISTS.test(text);

/** Words of a PAC that could not be reached or asked for patience. */
const TROUBLE =
  /time.?out|timed out|tiempo de espera|agotad[oa] el tiempo|tiempo agotado|conexi[oó]n|comunicaci[oó]n|curl|gateway|int[eé]nt[ea]\w* (?:de nuevo|nuevamente|m[aá]s tarde)|temporalmente|en proceso|no disponible|fuera de servicio|mantenimiento|sin respuesta|no respon|gone away/i;

/** Sentences factura.com is known to say before any work: each names a field, a record of the account, or the SAT's own no. */
const KNOWN = [
  /^la (?:solicitud|petici[oó]n) no es v[aá]lida/i,
  /^el campo \S+ (?:es|debe|no|tiene|contiene|seleccionado)\b/i,
  /^(?:el|la) (?:cliente|receptor|emisor|serie|rfc|raz[oó]n social|r[eé]gimen|c[oó]digo postal|uso (?:de )?cfdi|forma de pago|m[eé]todo de pago|moneda|fecha|folio sustituto|tipo de (?:documento|relaci[oó]n))\b[^.;]{1,80}\bno (?:existe|es (?:v[aá]lid|un )|est[aá] activ|corresponde|coincide)/i,
  /^el cfdi no existe o no tiene permiso/i,
  /\bno es cancelable\b/i,
  /\bya (?:se encuentra|est[aá]|fue|ha sido) cancelad/i,
  /^el (?:sat|receptor) rechaz[oó] la solicitud/i,
  /\bfecha[^.;]{0,60} fuera de rango/i,
];

/** It may have been done, or may yet be. */
export function isDoubtful({ code, message, detail }: Negative): boolean {
  if (code === '307' || EXISTS.test(message)) return true;
  // The SAT's matrix outranks words; its 'unclassified' does not.
  if (code?.startsWith('CFDI') && code !== 'CFDI40999') return false;
  return isTrouble(message) || isTrouble(detail);
}

export const isTrouble = (text: string) => TROUBLE.test(text);

/** It speaks of the account, not of what was asked. */
export const isAccount = ({ message }: Negative) => ACCOUNT.test(message);

/** It was surely not done, and never will be as it was asked. */
export function isClear(no: Negative): boolean {
  if (isDoubtful(no)) return false;
  return (
    no.code !== undefined ||
    no.fields ||
    no.status === 422 ||
    ACCOUNT.test(no.message) ||
    KNOWN.some((sentence) => sentence.test(no.message))
  );
}

export function refusalOf(no: Negative): Refused {
  if (no.keys) return accountRefusal(no.status);
  // Seals not uploaded, no stamps left: the next document would hear the same, so the account waits and the document stays.
  if (ACCOUNT.test(no.message)) return new Refused(no.message, { status: no.status, account: true });
  return new Refused(no.message, { status: no.status, code: no.code, detail: no.detail || undefined });
}

export function accountRefusal(status: number): Refused {
  return new Refused('factura.com no reconoce las llaves de la cuenta. Revísalas en Activación de API.', {
    status,
    account: true,
  });
}

/**
 * A no in words we do not know, as the record of its attempt keeps it. It is doubted and looked up; once what was asked is proven absent it was
 * a no, and asking again would only hear it again.
 */
export const unknownNo = (message: string) => `factura.com contestó «${message}»`;
export const unknownNoIn = (text: string) => /^factura\.com contestó «(.*)»$/s.exec(text)?.[1];
