import type { Element } from '@xmldom/xmldom';
import { UnexpectedShape } from '~/integrations/errors';
import { parseXml } from '~/integrations/xml.server';
import { TIMBRE, withoutAddenda } from './cfdiXml.server';
import { children, one, optional, required } from './nodos.server';

const RETENCIONES = {
  'http://www.sat.gob.mx/esquemas/retencionpago/2': '2.0',
  'http://www.sat.gob.mx/esquemas/retencionpago/1': '1.0',
} as const;
/** The complement of both versions. */
const PLATAFORMAS = 'http://www.sat.gob.mx/esquemas/retencionpago/1/PlataformasTecnologicas10';

/** A service of a platform, as its row tells it. Rows carry no number of a sale. */
export type ServicioXml = {
  fecha: string;
  tipo: string;
  precioSinIva: string;
  /** IVA that was charged of it; the row may have none. */
  iva: string;
  comision: string;
};

/** A CFDI de retenciones with the complement of technological platforms, as its XML says it. Amounts are the XML's text. */
export type RetencionXml = {
  version: '1.0' | '2.0';
  /** In upper case, as everywhere in our tables. */
  uuid: string;
  /** Local time of the place of issue. */
  fecha: string;
  clave: string;
  emisor: { rfc: string; nombre: string };
  /** Empty for a receiver abroad. */
  receptorRfc: string;
  periodo: { mesIni: string; mesFin: string; ejercicio: string };
  totales: { operacion: string; gravado: string; exento: string; retenido: string };
  retenidos: { impuesto: string; monto: string }[];
  /** UUID of the document that this one replaces; '' without one. */
  sustituye: string;
  plataforma: {
    numServ: string;
    sinIva: string;
    ivaTrasladado: string;
    ivaRetenido: string;
    isrRetenido: string;
    difIva: string;
    usoPlataforma: string;
    servicios: ServicioXml[];
  };
};

/**
 * Reads a CFDI de retenciones of a platform, of version 2.0 or 1.0. Nodes are found by namespace, and attributes whatever their case: version 1.0 writes some
 * of them in other words. Throws `UnexpectedShape` when the XML is none, or lacks what the SAT requires.
 */
export function readRetencionXml(contenido: Buffer | string): RetencionXml {
  const root = parseXml(withoutAddenda(contenido)).documentElement;
  const ns = root?.namespaceURI as keyof typeof RETENCIONES | undefined;
  const version = ns && Object.hasOwn(RETENCIONES, ns) ? RETENCIONES[ns] : undefined;
  if (!root || !ns || !version || root.localName !== 'Retenciones')
    throw new UnexpectedShape('el XML no es un CFDI de retenciones');
  const complemento = one(root, ns, 'Complemento');
  const plataforma = children(complemento, PLATAFORMAS, 'ServiciosPlataformasTecnologicas')[0];
  if (!plataforma)
    throw new UnexpectedShape('al CFDI de retenciones le falta el complemento de plataformas tecnológicas');
  const [emisor, receptor] = [one(root, ns, 'Emisor'), one(root, ns, 'Receptor')];
  const nacional = children(receptor, ns, 'Nacional')[0];
  const [periodo, totales] = [one(root, ns, 'Periodo'), one(root, ns, 'Totales')];
  const relacion = children(root, ns, 'CfdiRetenRelacionados')[0];
  return {
    version,
    uuid: required(one(complemento, TIMBRE, 'TimbreFiscalDigital'), 'UUID').toUpperCase(),
    fecha: dicho(root, 'FechaExp'),
    clave: dicho(root, 'CveRetenc'),
    emisor: {
      rfc: dicho(emisor, 'RfcE', 'RFCEmisor').toUpperCase(),
      nombre: callado(emisor, 'NomDenRazSocE'),
    },
    receptorRfc: nacional ? dicho(nacional, 'RfcR', 'RFCRecep').toUpperCase() : '',
    periodo: {
      mesIni: dicho(periodo, 'MesIni'),
      mesFin: dicho(periodo, 'MesFin'),
      ejercicio: dicho(periodo, 'Ejercicio', 'Ejerc'),
    },
    totales: {
      operacion: dicho(totales, 'MontoTotOperacion'),
      gravado: dicho(totales, 'MontoTotGrav'),
      exento: dicho(totales, 'MontoTotExent'),
      retenido: dicho(totales, 'MontoTotRet'),
    },
    retenidos: children(totales, ns, 'ImpRetenidos').map((node) => ({
      impuesto: callado(node, 'ImpuestoRet', 'Impuesto').padStart(3, '0'),
      monto: dicho(node, 'MontoRet'),
    })),
    sustituye: relacion ? optional(relacion, 'UUID').toUpperCase() : '',
    plataforma: {
      numServ: dicho(plataforma, 'NumServ'),
      sinIva: dicho(plataforma, 'MonTotServSIVA'),
      ivaTrasladado: dicho(plataforma, 'TotalIVATrasladado'),
      ivaRetenido: dicho(plataforma, 'TotalIVARetenido'),
      isrRetenido: dicho(plataforma, 'TotalISRRetenido'),
      difIva: dicho(plataforma, 'DifIVAEntregadoPrestServ'),
      usoPlataforma: dicho(plataforma, 'MonTotalporUsoPlataforma'),
      servicios: children(plataforma, PLATAFORMAS, 'Servicios')
        .flatMap((list) => children(list, PLATAFORMAS, 'DetallesDelServicio'))
        .map(servicioOf),
    },
  };
}

/** IVA in the rows of the complement; the totals of the document write it 002. */
const IVA_DE_SERVICIO = '02';

function servicioOf(node: Element): ServicioXml {
  const iva = children(node, PLATAFORMAS, 'ImpuestosTrasladadosdelServicio').find(
    (traslado) => callado(traslado, 'Impuesto').padStart(2, '0') === IVA_DE_SERVICIO,
  );
  const comision = children(node, PLATAFORMAS, 'ComisionDelServicio')[0];
  return {
    fecha: dicho(node, 'FechaServ'),
    tipo: callado(node, 'TipoDeServ'),
    precioSinIva: dicho(node, 'PrecioServSinIVA'),
    iva: (iva && callado(iva, 'Importe')) || '0',
    comision: (comision && callado(comision, 'Importe')) || '0',
  };
}

/** Returns an attribute by any of its names, in any case; an empty text without one. */
function callado(node: Element, ...names: string[]): string {
  for (const name of names) {
    const exact = optional(node, name);
    if (exact !== '') return exact.trim();
  }
  const wanted = names.map((name) => name.toLowerCase());
  for (const attribute of Array.from(node.attributes))
    if (wanted.includes(attribute.name.toLowerCase())) return attribute.value.trim();
  return '';
}

/** The same for an attribute that may not be missing. */
function dicho(node: Element, ...names: string[]): string {
  const value = callado(node, ...names);
  if (value === '') throw new UnexpectedShape(`a ${node.localName} le falta ${names[0]}`);
  return value;
}
