/** Reads a CFDI and rebuilds the text its seal covers, apart from whoever wrote it. */
import { DOMParser, type Element } from '@xmldom/xmldom';

export function parseXml(xml: string): Element {
  const root = new DOMParser().parseFromString(xml, 'text/xml').documentElement;
  if (!root) throw new Error('no root');
  return root;
}

export function child(parent: Element, ...path: string[]): Element {
  return path.reduce((at, name) => {
    const found = elements(at).find((one) => one.localName === name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  }, parent);
}

function elements(parent: Element): Element[] {
  return Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === 1);
}

/** Anexo 20, written again and on its own: document order of the nodes, the SAT's order of the attributes, withheld taxes of the document before the transferred. */
const ORDER: Record<string, string[]> = {
  Comprobante: [
    'Version',
    'Serie',
    'Folio',
    'Fecha',
    'FormaPago',
    'NoCertificado',
    'CondicionesDePago',
    'SubTotal',
    'Descuento',
    'Moneda',
    'TipoCambio',
    'Total',
    'TipoDeComprobante',
    'Exportacion',
    'MetodoPago',
    'LugarExpedicion',
    'Confirmacion',
  ],
  InformacionGlobal: ['Periodicidad', 'Meses', 'Año'],
  CfdiRelacionados: ['TipoRelacion'],
  CfdiRelacionado: ['UUID'],
  Emisor: ['Rfc', 'Nombre', 'RegimenFiscal', 'FacAtrAdquirente'],
  Receptor: [
    'Rfc',
    'Nombre',
    'DomicilioFiscalReceptor',
    'ResidenciaFiscal',
    'NumRegIdTrib',
    'RegimenFiscalReceptor',
    'UsoCFDI',
  ],
  Concepto: [
    'ClaveProdServ',
    'NoIdentificacion',
    'Cantidad',
    'ClaveUnidad',
    'Unidad',
    'Descripcion',
    'ValorUnitario',
    'Importe',
    'Descuento',
    'ObjetoImp',
  ],
  Traslado: ['Base', 'Impuesto', 'TipoFactor', 'TasaOCuota', 'Importe'],
  Retencion: ['Base', 'Impuesto', 'TipoFactor', 'TasaOCuota', 'Importe'],
};

export function cadenaOf(root: Element): string {
  const values: string[] = [];
  const take = (element: Element, names: string[]) => {
    for (const name of names) {
      const value = element.getAttribute(name);
      if (value !== null && value !== '') values.push(value.replace(/\s+/g, ' ').trim());
    }
  };
  const walk = (element: Element) => {
    if (element.localName === 'Complemento') return;
    const totals = element.localName === 'Impuestos' && element.parentNode === root;
    take(element, ORDER[element.localName ?? ''] ?? []);
    for (const one of elements(element)) {
      walk(one);
      if (totals && one.localName === 'Retenciones') take(element, ['TotalImpuestosRetenidos']);
      if (totals && one.localName === 'Traslados') take(element, ['TotalImpuestosTrasladados']);
    }
  };
  walk(root);
  return `||${values.join('|')}||`;
}
