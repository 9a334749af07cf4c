/** The CFDI 4.0 as XML and as cadena original, the text that is sealed. Both take the same attributes, in the order of Anexo 20. */
import { escapeText } from '../service';
import { ofMicro, type Decimal } from './decimals';
import { sumasOf, type Concepto, type Documento, type Grupo, type Impuesto } from './documento';

type Attributes = [name: string, value: string | undefined][];

export interface Sello {
  noCertificado: string;
  certificado: string;
  sello: string;
}

const NAMESPACES =
  'xmlns:cfdi="http://www.sat.gob.mx/cfd/4" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.sat.gob.mx/cfd/4 http://www.sat.gob.mx/sitio_internet/cfd/4/cfdv40.xsd"';

const rate = (tasa: Decimal | undefined) => tasa && ofMicro(tasa.micro).text;

function comprobante(doc: Documento, noCertificado: string): Attributes {
  const sumas = sumasOf(doc.conceptos);
  return [
    ['Version', '4.0'],
    ['Serie', doc.serie],
    ['Folio', String(doc.folio)],
    ['Fecha', doc.fecha],
    ['FormaPago', doc.formaPago],
    ['NoCertificado', noCertificado],
    ['CondicionesDePago', doc.condicionesDePago],
    ['SubTotal', sumas.subTotal.text],
    ['Descuento', sumas.descuento?.text],
    ['Moneda', doc.moneda],
    ['Total', sumas.total.text],
    ['TipoDeComprobante', doc.tipo],
    ['Exportacion', '01'],
    ['MetodoPago', doc.metodoPago],
    ['LugarExpedicion', doc.lugarExpedicion],
  ];
}

const informacionGlobal = (info: NonNullable<Documento['informacionGlobal']>): Attributes => [
  ['Periodicidad', info.periodicidad],
  ['Meses', info.meses],
  ['Año', info.anio],
];

const emisor = ({ emisor: { rfc, nombre, regimen } }: Documento): Attributes => [
  ['Rfc', rfc],
  ['Nombre', nombre],
  ['RegimenFiscal', regimen],
];

const receptor = ({ receptor: { rfc, nombre, cp, regimen, usoCfdi } }: Documento): Attributes => [
  ['Rfc', rfc],
  ['Nombre', nombre],
  ['DomicilioFiscalReceptor', cp],
  ['RegimenFiscalReceptor', regimen],
  ['UsoCFDI', usoCfdi],
];

const concepto = (one: Concepto): Attributes => [
  ['ClaveProdServ', one.claveProdServ],
  ['NoIdentificacion', one.noIdentificacion],
  ['Cantidad', one.cantidad.text],
  ['ClaveUnidad', one.claveUnidad],
  ['Unidad', one.unidad],
  ['Descripcion', one.descripcion],
  ['ValorUnitario', one.valorUnitario.text],
  ['Importe', one.importe.text],
  ['Descuento', one.descuento?.text],
  ['ObjetoImp', one.objetoImp],
];

const tax = (one: Impuesto | Grupo): Attributes => [
  ['Base', one.base.text],
  ['Impuesto', one.impuesto],
  ['TipoFactor', one.tipoFactor],
  ['TasaOCuota', rate(one.tasa)],
  ['Importe', one.importe?.text],
];

export function cadenaOriginal(doc: Documento, noCertificado: string): string {
  const sumas = sumasOf(doc.conceptos);
  const attributes: Attributes = [
    ...comprobante(doc, noCertificado),
    ...(doc.informacionGlobal ? informacionGlobal(doc.informacionGlobal) : []),
    ...doc.relaciones.flatMap(({ tipo, uuids }): Attributes => [
      ['TipoRelacion', tipo],
      ...uuids.map((uuid): [string, string] => ['UUID', uuid]),
    ]),
    ...emisor(doc),
    ...receptor(doc),
    ...doc.conceptos.flatMap((one) => [
      ...concepto(one),
      ...(one.impuestos?.traslados ?? []).flatMap(tax),
      ...(one.impuestos?.retenciones ?? []).flatMap(tax),
    ]),
    ...sumas.retenciones.flatMap(({ impuesto, importe }): Attributes => [
      ['Impuesto', impuesto],
      ['Importe', importe.text],
    ]),
    ['TotalImpuestosRetenidos', sumas.totalRetenciones?.text],
    ...sumas.traslados.flatMap(tax),
    ['TotalImpuestosTrasladados', sumas.totalTraslados?.text],
  ];
  return cadena(attributes.map(([, value]) => value));
}

/** Values joined by pipes, with white space collapsed and absent values skipped. */
export function cadena(values: (string | undefined)[]): string {
  return `||${values
    .filter((value) => value !== undefined && value !== '')
    .map((value) => collapse(value ?? ''))
    .join('|')}||`;
}

export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The XML of a document. `complemento` is the stamp as XML. Without `sello` the result is the XML that a refusal shows in `xmlerror`. */
export function xmlOf(doc: Documento, sello: Sello | undefined, complemento = ''): string {
  const sumas = sumasOf(doc.conceptos);
  const sealed: Attributes = [
    ['Sello', sello?.sello],
    ['Certificado', sello?.certificado],
  ];
  const impuestos = sumas.traslados.length > 0 || sumas.retenciones.length > 0;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<cfdi:Comprobante ${NAMESPACES}${attributesXml([...comprobante(doc, sello?.noCertificado ?? ''), ...sealed])}>`,
    doc.informacionGlobal ? `<cfdi:InformacionGlobal${attributesXml(informacionGlobal(doc.informacionGlobal))}/>` : '',
    ...doc.relaciones.map(
      ({ tipo, uuids }) =>
        `<cfdi:CfdiRelacionados TipoRelacion="${tipo}">${uuids.map((uuid) => `<cfdi:CfdiRelacionado UUID="${escapeText(uuid)}"/>`).join('')}</cfdi:CfdiRelacionados>`,
    ),
    `<cfdi:Emisor${attributesXml(emisor(doc))}/>`,
    `<cfdi:Receptor${attributesXml(receptor(doc))}/>`,
    `<cfdi:Conceptos>${doc.conceptos.map(conceptoXml).join('')}</cfdi:Conceptos>`,
    impuestos
      ? `<cfdi:Impuestos${attributesXml([
          ['TotalImpuestosRetenidos', sumas.totalRetenciones?.text],
          ['TotalImpuestosTrasladados', sumas.totalTraslados?.text],
        ])}>${listXml(
          'Retenciones',
          'Retencion',
          sumas.retenciones.map(({ impuesto, importe }): Attributes => [
            ['Impuesto', impuesto],
            ['Importe', importe.text],
          ]),
        )}${listXml('Traslados', 'Traslado', sumas.traslados.map(tax))}</cfdi:Impuestos>`
      : '',
    complemento ? `<cfdi:Complemento>${complemento}</cfdi:Complemento>` : '',
    '</cfdi:Comprobante>',
  ].join('');
}

function conceptoXml(one: Concepto): string {
  const traslados = (one.impuestos?.traslados ?? []).map(tax);
  const retenciones = (one.impuestos?.retenciones ?? []).map(tax);
  if (traslados.length + retenciones.length === 0) return `<cfdi:Concepto${attributesXml(concepto(one))}/>`;
  const impuestos = `<cfdi:Impuestos>${listXml('Traslados', 'Traslado', traslados)}${listXml('Retenciones', 'Retencion', retenciones)}</cfdi:Impuestos>`;
  return `<cfdi:Concepto${attributesXml(concepto(one))}>${impuestos}</cfdi:Concepto>`;
}

function listXml(list: string, item: string, rows: Attributes[]): string {
  return rows.length === 0
    ? ''
    : `<cfdi:${list}>${rows.map((row) => `<cfdi:${item}${attributesXml(row)}/>`).join('')}</cfdi:${list}>`;
}

export function attributesXml(attributes: Attributes): string {
  return attributes
    .map(([name, value]) => (value === undefined || value === '' ? '' : ` ${name}="${escapeText(value)}"`))
    .join('');
}
