import type { Element } from '@xmldom/xmldom';
import { parseXml } from '~/integrations/xml.server';
import { withoutAddenda, type TrasladoXml } from './cfdiXml.server';
import { children, one, optional, required } from './nodos.server';

const CFDI = 'http://www.sat.gob.mx/cfd/4';
const PAGOS = 'http://www.sat.gob.mx/Pagos20';

/** A payment of a complement 'Pagos 2.0', as its XML says it. Amounts are the XML's text; an attribute that is absent is an empty text. */
type PagoXml = {
  /** Local time of the payment. */
  fecha: string;
  moneda: string;
  /** Pesos for one unit of `moneda`. */
  tipoCambio: string;
  doctos: DoctoXml[];
};

/** What a payment paid of one document, in the document's currency. */
type DoctoXml = {
  /** In upper case. */
  uuid: string;
  serie: string;
  folio: string;
  moneda: string;
  /** Units of the document's currency for one of the payment's. */
  equivalencia: string;
  parcialidad: string;
  saldoAnterior: string;
  pagado: string;
  insoluto: string;
  objetoImp: string;
  traslados: TrasladoXml[];
  retenciones: { impuesto: string; importe: string }[];
};

/** Reads the payments of a CFDI of type P. Throws `UnexpectedShape` when it has no complement of version 2.0, or lacks an attribute that the SAT requires. */
export function readPagosXml(contenido: Buffer | string): PagoXml[] {
  const complemento = one(parseXml(withoutAddenda(contenido)).documentElement!, CFDI, 'Complemento');
  return children(one(complemento, PAGOS, 'Pagos'), PAGOS, 'Pago').map((pago) => ({
    fecha: required(pago, 'FechaPago'),
    moneda: required(pago, 'MonedaP'),
    tipoCambio: optional(pago, 'TipoCambioP'),
    doctos: children(pago, PAGOS, 'DoctoRelacionado').map(doctoOf),
  }));
}

function doctoOf(node: Element): DoctoXml {
  const impuestos = children(node, PAGOS, 'ImpuestosDR')[0];
  const of = (lista: string, nombre: string) =>
    (impuestos ? children(impuestos, PAGOS, lista) : []).flatMap((list) => children(list, PAGOS, nombre));
  return {
    uuid: required(node, 'IdDocumento').toUpperCase(),
    serie: optional(node, 'Serie'),
    folio: optional(node, 'Folio'),
    moneda: required(node, 'MonedaDR'),
    equivalencia: optional(node, 'EquivalenciaDR') || '1',
    parcialidad: required(node, 'NumParcialidad'),
    saldoAnterior: required(node, 'ImpSaldoAnt'),
    pagado: required(node, 'ImpPagado'),
    insoluto: required(node, 'ImpSaldoInsoluto'),
    objetoImp: required(node, 'ObjetoImpDR'),
    traslados: of('TrasladosDR', 'TrasladoDR').map((traslado) => ({
      base: required(traslado, 'BaseDR'),
      impuesto: required(traslado, 'ImpuestoDR'),
      tipoFactor: required(traslado, 'TipoFactorDR'),
      tasa: optional(traslado, 'TasaOCuotaDR'),
      importe: optional(traslado, 'ImporteDR') || '0',
    })),
    retenciones: of('RetencionesDR', 'RetencionDR').map((retencion) => ({
      impuesto: required(retencion, 'ImpuestoDR'),
      importe: required(retencion, 'ImporteDR'),
    })),
  };
}
