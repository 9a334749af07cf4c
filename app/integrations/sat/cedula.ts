import { isRfc, normalizeRfc } from '~/core/rfc';

/** The content of a constancia's QR code: the number of its cédula and the RFC of its owner. */
export type Cedula = { idCif: string; rfc: string };

export const SAT_HOST = 'siat.sat.gob.mx';
export const VALIDADOR = '/app/qr/faces/pages/mobile/validadorqr.jsf';
/** The query of a cédula (D1=10). The code on a constancia's last page has another number, and that of a CFDI another address. */
const CONSULTA = '?D1=10&D2=1&D3=';
const IDCIF = /^\d{6,15}$/;

/** The cédula of a QR code; undefined unless the code is the SAT's own address to the letter. The RFC is read as text, since it may have an `&`. */
export function cedulaOfPagina(code: string): Cedula | undefined {
  const from = `https://${SAT_HOST}${VALIDADOR}${CONSULTA}`;
  if (!code.startsWith(from) || code.length > from.length + 60) return undefined;
  const [idCif = '', ...rest] = code.slice(from.length).trim().split('_');
  return cedulaOf(idCif, unescaped(rest.join('_')));
}

/** The cédula of a number and an RFC as they are written; undefined when one of them is none. */
export function cedulaOf(idCif: string, escrito: string): Cedula | undefined {
  const rfc = normalizeRfc(escrito);
  return IDCIF.test(idCif) && isRfc(rfc) ? { idCif, rfc } : undefined;
}

/** Path and query of the SAT's page for a cédula. */
export const consultaOf = ({ idCif, rfc }: Cedula) => `${VALIDADOR}${CONSULTA}${idCif}_${encodeURIComponent(rfc)}`;

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
