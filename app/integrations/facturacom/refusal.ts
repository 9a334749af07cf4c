import { Refused } from '../errors';
import type { Negative } from './envelope';

/** Words about the account: its seal, its stamps, its plan. */
const ACCOUNT =
  /sello digital|\bCSD\b|sin timbres|timbres (?:disponibles|agotados)|cuenta (?:suspendida|inactiva|vencida)|\bplan no (?:cuenta|incluye|permite)/i;

/** Words that a document exists already, which is then looked up. */
const EXISTS =
  /ya existe un (?:cfdi|comprobante)|timbre previo|(?:ya|previamente) (?:\S+ )?timbrad|(?:comprobante|cfdi|folio) (?:repetid|duplicad)/i;

/** Whether a refusal says that the document exists already. */
export const saysExists = (text: string) => EXISTS.test(text);

/** Words of a PAC that could not be reached, or asks for patience. */
const TROUBLE =
  /time.?out|timed out|tiempo de espera|agotad[oa] el tiempo|tiempo agotado|conexi[oó]n|comunicaci[oó]n|curl|gateway|int[eé]nt[ea]\w* (?:de nuevo|nuevamente|m[aá]s tarde)|temporalmente|en proceso|no disponible|fuera de servicio|mantenimiento|sin respuesta|no respon|gone away/i;

/** Sentences that factura.com is known to say before any work. Each names a field, a record of the account, or the SAT's own no. */
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

/** Whether the work may have been done, or may yet be. */
export function isDoubtful({ code, message, detail }: Negative): boolean {
  if (code === '307' || EXISTS.test(message)) return true;
  // A code of the SAT's matrix outranks words; its 'unclassified' does not.
  if (code?.startsWith('CFDI') && code !== 'CFDI40999') return false;
  return isTrouble(message) || isTrouble(detail);
}

/** Whether a text speaks of a PAC that could not be reached. */
export const isTrouble = (text: string) => TROUBLE.test(text);

/** Whether a no is about the account and not about the document. */
export const isAccount = ({ message }: Negative) => ACCOUNT.test(message);

/**
 * Whether a no is clear: the work was surely not done, and never will be as it was asked. factura.com refuses in the words of whatever
 * failed behind it, and a stamp may have been made before those words were written. So only a no that names the fault of the request is
 * clear.
 */
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

/** The Refused of a clear no; `account: true` when it is about keys or account. */
export function refusalOf(no: Negative): Refused {
  if (no.keys) return accountRefusal(no.status);
  // Without a seal or stamps the next document would be refused too, so the account waits and the document stays.
  if (ACCOUNT.test(no.message)) return new Refused(no.message, { status: no.status, account: true });
  return new Refused(no.message, { status: no.status, code: no.code, detail: no.detail || undefined });
}

/** The Refused of keys that the account does not accept. */
export function accountRefusal(status: number): Refused {
  return new Refused('factura.com no reconoce las llaves de la cuenta. Revísalas en Activación de API.', {
    status,
    account: true,
  });
}

/**
 * The text of a no in words we do not know, as the record of its attempt keeps it. Such a no is looked up; once the document is proven
 * absent it counts as a no, and asking again would only bring it again.
 */
export const unknownNo = (message: string) => `factura.com contestó «${message}»`;
/** The words of such a no inside a kept text; undefined when it is none. */
export const unknownNoIn = (text: string) => /^factura\.com contestó «(.*)»$/s.exec(text)?.[1];
