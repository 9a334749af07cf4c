import type { Element } from '@xmldom/xmldom';
import { UnexpectedShape } from '~/integrations/errors';
import { parseXml } from '~/integrations/xml.server';
import { children, one, optional, required } from './nodos.server';

const CFDI = 'http://www.sat.gob.mx/cfd/4';
export const TIMBRE = 'http://www.sat.gob.mx/TimbreFiscalDigital';
export type ConceptoXml = {
  claveProdServ: string;
  noIdentificacion: string;
  cantidad: string;
  claveUnidad: string;
  unidad: string;
  descripcion: string;
  valorUnitario: string;
  importe: string;
  descuento: string;
  objetoImp: string;
  traslados: TrasladoXml[];
  /** The taxes withheld from the line. */
  retenciones: { impuesto: string; importe: string }[];
};

export type TrasladoXml = { base: string; impuesto: string; tipoFactor: string; tasa: string; importe: string };

/** A stamped CFDI 4.0, as its XML says it. Amounts are the XML's text; an attribute that is absent is an empty text. */
export type CfdiXml = {
  /** In upper case, as everywhere in our tables. */
  uuid: string;
  /** Local time of the place of issue, without offset; `fechaTimbrado` is local time of the PAC. */
  fecha: string;
  fechaTimbrado: string;
  serie: string;
  folio: string;
  tipo: string;
  moneda: string;
  /** Pesos for one unit of `moneda`; empty in pesos. */
  tipoCambio: string;
  formaPago: string;
  metodoPago: string;
  lugarExpedicion: string;
  subTotal: string;
  total: string;
  emisor: { rfc: string; nombre: string; regimen: string };
  receptor: { rfc: string; nombre: string; cp: string; regimen: string; usoCfdi: string };
  conceptos: ConceptoXml[];
  impuestos: { totalTraslados: string; traslados: TrasladoXml[] };
  informacionGlobal: { periodicidad: string; meses: string; anio: string } | null;
  relacionados: { tipoRelacion: string; uuids: string[] }[];
  noCertificado: string;
  noCertificadoSat: string;
  rfcProvCertif: string;
  /** The last eight characters of a seal: the SAT's QR asks for those of Sello, and people compare those of SelloSAT. */
  selloCola: string;
  selloSatCola: string;
};

/** Reads a stamped CFDI 4.0, ours or a supplier's. Throws `UnexpectedShape` when the XML is none, or lacks an attribute that the SAT requires. */
export function readCfdiXml(contenido: Buffer | string): CfdiXml {
  const root = parseXml(withoutAddenda(contenido)).documentElement;
  if (!root || root.namespaceURI !== CFDI || root.localName !== 'Comprobante')
    throw new UnexpectedShape('el XML no es un CFDI 4.0');
  const timbre = one(one(root, CFDI, 'Complemento'), TIMBRE, 'TimbreFiscalDigital');
  const [emisor, receptor] = [one(root, CFDI, 'Emisor'), one(root, CFDI, 'Receptor')];
  const impuestos = children(root, CFDI, 'Impuestos')[0];
  const global = children(root, CFDI, 'InformacionGlobal')[0];
  return {
    uuid: required(timbre, 'UUID').toUpperCase(),
    fecha: required(root, 'Fecha'),
    fechaTimbrado: required(timbre, 'FechaTimbrado'),
    serie: optional(root, 'Serie'),
    folio: optional(root, 'Folio'),
    tipo: required(root, 'TipoDeComprobante'),
    moneda: required(root, 'Moneda'),
    tipoCambio: optional(root, 'TipoCambio'),
    formaPago: optional(root, 'FormaPago'),
    metodoPago: optional(root, 'MetodoPago'),
    lugarExpedicion: required(root, 'LugarExpedicion'),
    subTotal: required(root, 'SubTotal'),
    total: required(root, 'Total'),
    emisor: {
      rfc: required(emisor, 'Rfc'),
      nombre: required(emisor, 'Nombre'),
      regimen: required(emisor, 'RegimenFiscal'),
    },
    receptor: {
      rfc: required(receptor, 'Rfc'),
      nombre: required(receptor, 'Nombre'),
      cp: required(receptor, 'DomicilioFiscalReceptor'),
      regimen: required(receptor, 'RegimenFiscalReceptor'),
      usoCfdi: required(receptor, 'UsoCFDI'),
    },
    conceptos: children(one(root, CFDI, 'Conceptos'), CFDI, 'Concepto').map(conceptoOf),
    impuestos: {
      totalTraslados: impuestos ? optional(impuestos, 'TotalImpuestosTrasladados') || '0' : '0',
      traslados: impuestos ? trasladosOf(impuestos) : [],
    },
    informacionGlobal: global
      ? {
          periodicidad: required(global, 'Periodicidad'),
          meses: required(global, 'Meses'),
          anio: required(global, 'Año'),
        }
      : null,
    relacionados: children(root, CFDI, 'CfdiRelacionados').map((node) => ({
      tipoRelacion: required(node, 'TipoRelacion'),
      uuids: children(node, CFDI, 'CfdiRelacionado').map((related) => required(related, 'UUID').toUpperCase()),
    })),
    noCertificado: required(root, 'NoCertificado'),
    noCertificadoSat: required(timbre, 'NoCertificadoSAT'),
    rfcProvCertif: required(timbre, 'RfcProvCertif'),
    selloCola: required(root, 'Sello').slice(-8),
    selloSatCola: required(timbre, 'SelloSAT').slice(-8),
  };
}

/** Marks between which XML holds text and no tags. */
const INERTES: readonly [from: string, to: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/**
 * Returns the XML without its Addenda, which is whatever buyer and seller agreed on: prefixes without a namespace, other documents, markup.
 * The SAT's seal leaves the Addenda out, and nothing here reads it.
 */
export function withoutAddenda(contenido: Buffer | string): Buffer | string {
  const text = contenido.toString('utf8');
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const inerte = INERTES.find(([from]) => text.startsWith(from, at));
    const until = inerte ? text.indexOf(inerte[1], at + inerte[0].length) : at + 1;
    if (until < 0) return contenido;
    const name = /^<((?:[\w.-]{1,40}:)?Addenda)[\s>]/.exec(text.slice(at, at + 60))?.[1];
    if (name) {
      const end = text.lastIndexOf(`</${name}`);
      return end < at ? contenido : text.slice(0, at) + text.slice(text.indexOf('>', end) + 1);
    }
    at = until;
  }
  return contenido;
}

function conceptoOf(node: Element): ConceptoXml {
  const impuestos = children(node, CFDI, 'Impuestos')[0];
  return {
    claveProdServ: required(node, 'ClaveProdServ'),
    noIdentificacion: optional(node, 'NoIdentificacion'),
    cantidad: required(node, 'Cantidad'),
    claveUnidad: required(node, 'ClaveUnidad'),
    unidad: optional(node, 'Unidad'),
    descripcion: required(node, 'Descripcion'),
    valorUnitario: required(node, 'ValorUnitario'),
    importe: required(node, 'Importe'),
    descuento: optional(node, 'Descuento') || '0',
    objetoImp: required(node, 'ObjetoImp'),
    traslados: impuestos ? trasladosOf(impuestos) : [],
    retenciones: (impuestos ? children(impuestos, CFDI, 'Retenciones') : [])
      .flatMap((list) => children(list, CFDI, 'Retencion'))
      .map((node) => ({ impuesto: required(node, 'Impuesto'), importe: required(node, 'Importe') })),
  };
}

function trasladosOf(impuestos: Element): TrasladoXml[] {
  return children(impuestos, CFDI, 'Traslados')
    .flatMap((list) => children(list, CFDI, 'Traslado'))
    .map((node) => ({
      base: required(node, 'Base'),
      impuesto: required(node, 'Impuesto'),
      tipoFactor: required(node, 'TipoFactor'),
      tasa: optional(node, 'TasaOCuota'),
      importe: optional(node, 'Importe') || '0',
    }));
}
