import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import { UnexpectedShape } from '~/integrations/errors';

/** Reads a stamped CFDI 4.0, ours or a supplier's. It comes from outside, so: size first, no DOCTYPE, no entities of its own, UTF-8 only. */
const CFDI = 'http://www.sat.gob.mx/cfd/4';
const TIMBRE = 'http://www.sat.gob.mx/TimbreFiscalDigital';
const MAX_BYTES = 16 * 1024 * 1024;
/**
 * Of one that a person brings, counted before anything is parsed. Nesting and attributes cost a parser more than their bytes do, and nobody else is
 * served while it parses.
 */
const MAX_TAGS = 15_000;
const MAX_ATTRIBUTES = 25_000;

export const isExcesivo = (contenido: Buffer): boolean =>
  countOf(contenido, '<') > MAX_TAGS || countOf(contenido, '=') > MAX_ATTRIBUTES;

function countOf(contenido: Buffer, character: '<' | '='): number {
  const code = character.charCodeAt(0);
  let count = 0;
  for (const byte of contenido) if (byte === code) count++;
  return count;
}

export type ConceptoXml = {
  claveProdServ: string;
  noIdentificacion: string;
  cantidad: string;
  claveUnidad: string;
  unidad: string;
  descripcion: string;
  valorUnitario: string;
  importe: string;
  objetoImp: string;
  traslados: TrasladoXml[];
};

export type TrasladoXml = { base: string; impuesto: string; tipoFactor: string; tasa: string; importe: string };

export type CfdiXml = {
  /** Upper case, as everywhere in our tables. */
  uuid: string;
  /** Local time of the place of issue, without offset; `fechaTimbrado` is the PAC's. */
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
  /** Last eight characters: the SAT's QR asks for those of Sello, people compare those of SelloSAT. */
  selloCola: string;
  selloSatCola: string;
};

export function readCfdiXml(contenido: Buffer | string): CfdiXml {
  const root = parseXml(contenido).documentElement;
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
    objetoImp: required(node, 'ObjetoImp'),
    traslados: impuestos ? trasladosOf(impuestos) : [],
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

/** Any XML of a stranger's, under the same rules. */
export function parseXmlAjeno(contenido: Buffer): Document {
  if (isExcesivo(contenido)) throw new UnexpectedShape('el XML tiene demasiados elementos');
  return parseXml(contenido);
}

function parseXml(contenido: Buffer | string): Document {
  const size = typeof contenido === 'string' ? Buffer.byteLength(contenido) : contenido.length;
  if (size > MAX_BYTES) throw new UnexpectedShape(`el XML pesa más de ${MAX_BYTES} bytes`);
  const text = typeof contenido === 'string' ? contenido : decode(contenido);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new UnexpectedShape('el XML declara un DOCTYPE o entidades');
  const fail = (level: string, message: string): never => {
    throw new UnexpectedShape(`el XML está mal formado (${level}: ${message.split('\n')[0]})`);
  };
  try {
    return new DOMParser({ onError: fail }).parseFromString(text.replace(/^\uFEFF/, ''), 'text/xml');
  } catch (error) {
    if (error instanceof UnexpectedShape) throw error;
    throw new UnexpectedShape('el XML está mal formado', { cause: error });
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UnexpectedShape('el XML no está en UTF-8', { cause: error });
  }
}

function children(node: Element, namespace: string, name: string): Element[] {
  const found: Element[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (child.nodeType === child.ELEMENT_NODE && child.namespaceURI === namespace && child.localName === name)
      found.push(child as Element);
  return found;
}

function one(node: Element, namespace: string, name: string): Element {
  const found = children(node, namespace, name)[0];
  if (!found) throw new UnexpectedShape(`al CFDI le falta ${name}`);
  return found;
}

function required(node: Element, name: string): string {
  const value = optional(node, name);
  if (value === '') throw new UnexpectedShape(`a ${node.localName} le falta ${name}`);
  return value;
}

const optional = (node: Element, name: string): string => node.getAttribute(name) ?? '';
