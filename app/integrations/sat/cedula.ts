import { isRfc, normalizeRfc } from '~/core/rfc';

/** What the QR code of a constancia holds: the number of its cédula and whose it is. */
export type Cedula = { idCif: string; rfc: string };

export const SAT_HOST = 'siat.sat.gob.mx';
export const VALIDADOR = '/app/qr/faces/pages/mobile/validadorqr.jsf';
/** 10 is the cédula. The code on the last page has another number, and a CFDI's another address. */
const CONSULTA = '?D1=10&D2=1&D3=';
const IDCIF = /^\d{6,15}$/;

/** The address is the SAT's own to the letter, or it is no constancia's. An RFC may have an `&`, so its part is read as text. */
export function cedulaOfPagina(code: string): Cedula | undefined {
  const from = `https://${SAT_HOST}${VALIDADOR}${CONSULTA}`;
  if (!code.startsWith(from) || code.length > from.length + 60) return undefined;
  const [idCif = '', ...rest] = code.slice(from.length).trim().split('_');
  return cedulaOf(idCif, unescaped(rest.join('_')));
}

export function cedulaOf(idCif: string, escrito: string): Cedula | undefined {
  const rfc = normalizeRfc(escrito);
  return IDCIF.test(idCif) && isRfc(rfc) ? { idCif, rfc } : undefined;
}

export const consultaOf = ({ idCif, rfc }: Cedula) => `${VALIDADOR}${CONSULTA}${idCif}_${encodeURIComponent(rfc)}`;

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
