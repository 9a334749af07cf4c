/** The seal of the issuer and the stamp of the PAC, which turn a document into its final XML. */
import { randomUUID } from 'node:crypto';
import type { Sealer } from './certificados';
import { PAC } from './cuenta';
import { localNow } from './fechas';
import type { Documento } from './documento';
import { attributesXml, cadena, cadenaOriginal, xmlOf } from './xml';

export interface Timbrado {
  uuid: string;
  fechaTimbrado: string;
  noCertificadoSat: string;
  selloCfd: string;
  selloSat: string;
  xml: string;
}

const NAMESPACES =
  'xmlns:tfd="http://www.sat.gob.mx/TimbreFiscalDigital" xsi:schemaLocation="http://www.sat.gob.mx/TimbreFiscalDigital http://www.sat.gob.mx/sitio_internet/cfd/TimbreFiscalDigital/TimbreFiscalDigitalv11.xsd"';

export function stamp(doc: Documento, { emisor, pac }: { emisor: Sealer; pac: Sealer }): Timbrado {
  const selloCfd = emisor.seal(cadenaOriginal(doc, emisor.noCertificado));
  const uuid = randomUUID().toUpperCase();
  const fechaTimbrado = localNow();
  const leyenda = 'Timbre de una sandbox local, sin validez fiscal';
  const selloSat = pac.seal(cadena(['1.1', uuid, fechaTimbrado, PAC.rfc, leyenda, selloCfd, pac.noCertificado]));
  const timbre = `<tfd:TimbreFiscalDigital ${NAMESPACES}${attributesXml([
    ['Version', '1.1'],
    ['UUID', uuid],
    ['FechaTimbrado', fechaTimbrado],
    ['RfcProvCertif', PAC.rfc],
    ['Leyenda', leyenda],
    ['SelloCFD', selloCfd],
    ['NoCertificadoSAT', pac.noCertificado],
    ['SelloSAT', selloSat],
  ])}/>`;
  const xml = xmlOf(
    doc,
    { noCertificado: emisor.noCertificado, certificado: emisor.certificado, sello: selloCfd },
    timbre,
  );
  return { uuid, fechaTimbrado, noCertificadoSat: pac.noCertificado, selloCfd, selloSat, xml };
}
