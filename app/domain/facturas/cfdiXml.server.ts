import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import { Money } from '~/core/money';
import { UnexpectedShape } from '~/integrations/errors';
import type { NewCfdi } from '~/integrations/facturacom/nouns';

/** Reads a stamped CFDI 4.0. It comes from outside, so: size first, no DOCTYPE, no entities of its own, UTF-8 only. */
const CFDI = 'http://www.sat.gob.mx/cfd/4';
const TIMBRE = 'http://www.sat.gob.mx/TimbreFiscalDigital';
const MAX_BYTES = 16 * 1024 * 1024;

export type ConceptoXml = {
  claveProdServ: string; noIdentificacion: string; cantidad: string; claveUnidad: string; unidad: string; descripcion: string;
  valorUnitario: string; importe: string; objetoImp: string; traslados: TrasladoXml[];
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
  if (!root || root.namespaceURI !== CFDI || root.localName !== 'Comprobante') throw new UnexpectedShape('el XML no es un CFDI 4.0');
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
    formaPago: optional(root, 'FormaPago'),
    metodoPago: optional(root, 'MetodoPago'),
    lugarExpedicion: required(root, 'LugarExpedicion'),
    subTotal: required(root, 'SubTotal'),
    total: required(root, 'Total'),
    emisor: { rfc: required(emisor, 'Rfc'), nombre: required(emisor, 'Nombre'), regimen: required(emisor, 'RegimenFiscal') },
    receptor: {
      rfc: required(receptor, 'Rfc'), nombre: required(receptor, 'Nombre'), cp: required(receptor, 'DomicilioFiscalReceptor'),
      regimen: required(receptor, 'RegimenFiscalReceptor'), usoCfdi: required(receptor, 'UsoCFDI'),
    },
    conceptos: children(one(root, CFDI, 'Conceptos'), CFDI, 'Concepto').map(conceptoOf),
    impuestos: { totalTraslados: impuestos ? optional(impuestos, 'TotalImpuestosTrasladados') || '0' : '0', traslados: impuestos ? trasladosOf(impuestos) : [] },
    informacionGlobal: global ? { periodicidad: required(global, 'Periodicidad'), meses: required(global, 'Meses'), anio: required(global, 'Año') } : null,
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
    claveProdServ: required(node, 'ClaveProdServ'), noIdentificacion: optional(node, 'NoIdentificacion'), cantidad: required(node, 'Cantidad'),
    claveUnidad: required(node, 'ClaveUnidad'), unidad: optional(node, 'Unidad'), descripcion: required(node, 'Descripcion'),
    valorUnitario: required(node, 'ValorUnitario'), importe: required(node, 'Importe'), objetoImp: required(node, 'ObjetoImp'),
    traslados: impuestos ? trasladosOf(impuestos) : [],
  };
}

function trasladosOf(impuestos: Element): TrasladoXml[] {
  return children(impuestos, CFDI, 'Traslados').flatMap((list) => children(list, CFDI, 'Traslado')).map((node) => ({
    base: required(node, 'Base'), impuesto: required(node, 'Impuesto'), tipoFactor: required(node, 'TipoFactor'),
    tasa: optional(node, 'TasaOCuota'), importe: optional(node, 'Importe') || '0',
  }));
}

/**
 * What the stamped document says that we did not ask for, in sentences for people; empty when it is ours. A difference is an
 * alarm and never a reason to stamp again. Names of fields with both values: they go to the board, not to the log.
 */
export function matchesRequest(xml: CfdiXml, cfdi: NewCfdi, uuid: string): string[] {
  const differences: string[] = [];
  const same = (name: string, stamped: string, asked: string) => {
    if (stamped !== asked) differences.push(`${name}: se timbró «${stamped}» y se pidió «${asked}»`);
  };
  const amount = (name: string, stamped: string, asked: string) => {
    if (!sameAmount(stamped, asked)) differences.push(`${name}: se timbró ${stamped} y se pidió ${asked}`);
  };
  same('UUID', xml.uuid, uuid.toUpperCase());
  same('Tipo de comprobante', xml.tipo, cfdi.tipo === 'factura' ? 'I' : 'E');
  same('RFC', xml.receptor.rfc, cfdi.receptor.rfc);
  same('Razón Social', words(xml.receptor.nombre), words(cfdi.receptor.nombre));
  same('Código postal', xml.receptor.cp, cfdi.receptor.cp);
  same('Régimen', xml.receptor.regimen, cfdi.receptor.regimen);
  same('Uso de CFDI', xml.receptor.usoCfdi, cfdi.usoCfdi);
  same('Forma de Pago', xml.formaPago, cfdi.formaPago);
  same('Método de pago', xml.metodoPago, 'PUE');
  same('Moneda', xml.moneda, 'MXN');
  same('Día', xml.fecha.slice(0, 10), cfdi.fecha.slice(0, 10));
  amount('Sub-Total', xml.subTotal, cfdi.subTotal);
  amount('I.V.A', xml.impuestos.totalTraslados, cfdi.iva);
  amount('Total', xml.total, cfdi.total);
  same('Información global', globalDe(xml.informacionGlobal), globalDe(cfdi.informacionGlobal));
  same('CFDI relacionados', relacionDe(xml.relacionados), relacionDe(cfdi.relacionados ? [cfdi.relacionados] : []));
  same('Número de conceptos', String(xml.conceptos.length), String(cfdi.conceptos.length));
  if (xml.conceptos.length !== cfdi.conceptos.length) return differences;
  cfdi.conceptos.forEach((asked, index) => {
    const stamped = xml.conceptos[index]!;
    const label = (name: string) => `Concepto ${index + 1}, ${name}`;
    same(label('código SAT'), stamped.claveProdServ, asked.claveProdServ);
    same(label('descripción'), words(stamped.descripcion), words(asked.descripcion));
    amount(label('cantidad'), stamped.cantidad, String(asked.cantidad));
    amount(label('valor unitario'), stamped.valorUnitario, asked.valorUnitario);
    amount(label('importe'), stamped.importe, asked.importe);
    amount(label('I.V.A'), stamped.traslados[0]?.importe ?? '0', asked.iva);
    amount(label('tasa'), stamped.traslados[0]?.tasa || '0', asked.tasaIva);
  });
  return differences;
}

const globalDe = (info: { periodicidad: string; meses: string; anio: string } | null | undefined) => (info ? `${info.periodicidad} ${info.meses} ${info.anio}` : '');
const relacionDe = (relaciones: { tipoRelacion: string; uuids: string[] }[]) => relaciones.map(({ tipoRelacion, uuids }) => `${tipoRelacion} ${uuids.map((uuid) => uuid.toUpperCase()).join(' ')}`).join('; ');
const words = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

function sameAmount(a: string, b: string): boolean {
  const readable = /^\d{1,15}(?:\.\d{1,6})?$/;
  return readable.test(a) && readable.test(b) && Money.of(a).equals(Money.of(b));
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
    if (child.nodeType === child.ELEMENT_NODE && child.namespaceURI === namespace && child.localName === name) found.push(child as Element);
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
