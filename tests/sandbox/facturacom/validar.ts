/** The SAT's matrix, in the order of a PAC: date, catalogues, receiver, global information, relations, concepts, sums. The first refusal wins. */
import {
  CLAVES_UNIDAD,
  FORMAS_PAGO,
  MESES,
  METODOS_PAGO,
  OBJETOS_IMP,
  PERIODICIDADES,
  REGIMENES,
  RELACIONES,
  USOS,
} from './catalogos';
import { validateConceptos } from './validarConceptos';
import type { Documento } from './documento';
import { localNow, secondsFromNow } from './fechas';
import { pacRefusal } from './refusals';
import type { State } from './state';

const HOURS_72 = 72 * 3_600;
const CLOCK_SLACK = 60;
const GENERIC_RFCS = ['XAXX010101000', 'XEXX010101000'];

export function validate(doc: Documento, state: State) {
  validateSchema(doc);
  validateFecha(doc);
  validateCatalogues(doc);
  validateReceptor(doc, state);
  validateGlobal(doc, state);
  validateRelaciones(doc, state);
  validateConceptos(doc);
}

/** What the XSD refuses before any rule is read: the pipe, lengths, characters that XML does not take. */
function validateSchema(doc: Documento) {
  const texts: [string, string | undefined, number][] = [
    ['Nombre', doc.receptor.nombre, 300],
    ['CondicionesDePago', doc.condicionesDePago, 1_000],
    ...doc.conceptos.flatMap((concepto): [string, string | undefined, number][] => [
      ['NoIdentificacion', concepto.noIdentificacion, 100],
      ['Unidad', concepto.unidad, 20],
      ['Descripcion', concepto.descripcion, 1_000],
    ]),
  ];
  for (const [name, value, limit] of texts) {
    if (value === undefined) continue;
    const detail = `El valor '${value.slice(0, 120)}' del atributo ${name} no cumple con el patrón [^|]{1,${limit}}`;
    if (value.includes('|') || [...value].length > limit || [...value].some(isOutsideXml))
      throw pacRefusal('301', 'XML mal formado', detail);
  }
  if (!/^\d{5}$/.test(doc.lugarExpedicion))
    throw pacRefusal(
      'CFDI40126',
      'El campo LugarExpedicion, no contiene un valor del catálogo c_CodigoPostal.',
      doc.lugarExpedicion,
    );
}

/** Characters that XML 1.0 has no way to write. */
function isOutsideXml(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    (code < 0x20 && ![0x09, 0x0a, 0x0d].includes(code)) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    code === 0xfffe ||
    code === 0xffff
  );
}

function validateFecha({ fecha }: Documento) {
  const seconds = secondsFromNow(fecha);
  if (seconds === undefined)
    throw pacRefusal('301', 'XML mal formado', `El valor '${fecha}' del atributo Fecha no es una fecha`);
  if (seconds < -HOURS_72 || seconds > CLOCK_SLACK)
    throw pacRefusal('401', 'Fecha y hora de generación fuera de rango', `Fecha: ${fecha}, hora local: ${localNow()}`);
}

function validateCatalogues(doc: Documento) {
  if (!FORMAS_PAGO.has(doc.formaPago))
    throw pacRefusal('CFDI40104', 'El campo FormaPago no contiene un valor del catálogo c_FormaPago.', doc.formaPago);
  if (!METODOS_PAGO.has(doc.metodoPago))
    throw pacRefusal(
      'CFDI40124',
      'El campo MetodoPago, no contiene un valor del catálogo c_MetodoPago.',
      doc.metodoPago,
    );
  if (doc.metodoPago === 'PPD' && doc.formaPago !== '99')
    throw pacRefusal(
      'CFDI40105',
      'El campo FormaPago debe contener el valor "99" cuando el campo MetodoPago contenga el valor "PPD".',
      doc.formaPago,
    );
  if (!USOS.has(doc.receptor.usoCfdi))
    throw pacRefusal(
      'CFDI40160',
      'El campo UsoCFDI, no contiene un valor del catálogo c_UsoCFDI.',
      doc.receptor.usoCfdi,
    );
  if (!REGIMENES.has(doc.emisor.regimen))
    throw pacRefusal(
      'CFDI40140',
      'El campo RegimenFiscal, no contiene un valor del catálogo c_RegimenFiscal.',
      doc.emisor.regimen,
    );
  if (!REGIMENES.get(doc.emisor.regimen)?.moral)
    throw pacRefusal(
      'CFDI40141',
      'La clave del campo RegimenFiscal debe corresponder con el tipo de persona (fisica o moral).',
      doc.emisor.regimen,
    );
  doc.conceptos.forEach((concepto, index) => {
    const at = `Concepto ${index + 1}`;
    if (!/^\d{8}$/.test(concepto.claveProdServ) || concepto.claveProdServ === '00000000') {
      throw pacRefusal(
        'CFDI40162',
        'El campo ClaveProdServ, no contiene un valor del catálogo c_ClaveProdServ.',
        `${at}: ${concepto.claveProdServ}`,
      );
    }
    if (!CLAVES_UNIDAD.has(concepto.claveUnidad))
      throw pacRefusal(
        'CFDI40165',
        'El campo ClaveUnidad no contiene un valor del catálogo c_ClaveUnidad.',
        `${at}: ${concepto.claveUnidad}`,
      );
    if (!OBJETOS_IMP.has(concepto.objetoImp))
      throw pacRefusal(
        'CFDI40170',
        'El valor del campo ObjetoImp que corresponde a Concepto no contiene un valor del catálogo c_ObjetoImp.',
        `${at}: ${concepto.objetoImp}`,
      );
  });
}

function validateReceptor(doc: Documento, state: State) {
  const { rfc, nombre, cp, regimen, usoCfdi } = doc.receptor;
  const generic = GENERIC_RFCS.includes(rfc);
  const known = state.contribuyentes.get(rfc);
  if (!generic && !known && !state.switches.aceptaTodo) {
    throw pacRefusal(
      'CFDI40143',
      'Este RFC del receptor no existe en la lista de RFC inscritos no cancelados del SAT.',
      `Rfc: ${rfc}`,
    );
  }
  if (known && known.nombre !== nombre) {
    throw pacRefusal(
      'CFDI40145',
      'El campo Nombre del receptor, debe pertenecer al nombre asociado al RFC registrado en el campo Rfc del Receptor.',
      `Nombre: ${nombre}, Rfc: ${rfc}`,
    );
  }
  if (!/^\d{5}$/.test(cp) || cp === '00000') {
    throw pacRefusal(
      'CFDI40147',
      'El campo DomicilioFiscalReceptor del receptor, debe encontrarse en la lista de RFC inscritos no cancelados en el SAT.',
      `DomicilioFiscalReceptor: ${cp}`,
    );
  }
  if (known && known.cp !== cp) {
    throw pacRefusal(
      'CFDI40148',
      'El campo DomicilioFiscalReceptor del receptor, debe pertenecer al nombre asociado al RFC registrado en el campo Rfc del Receptor.',
      `DomicilioFiscalReceptor: ${cp}`,
    );
  }
  if (generic && cp !== doc.lugarExpedicion) {
    throw pacRefusal(
      'CFDI40149',
      'El campo DomicilioFiscalReceptor, debe ser igual al valor del campo LugarExpedicion cuando el Rfc del receptor es genérico.',
      `DomicilioFiscalReceptor: ${cp}, LugarExpedicion: ${doc.lugarExpedicion}`,
    );
  }
  const registered = REGIMENES.get(regimen);
  if (!registered)
    throw pacRefusal(
      'CFDI40157',
      'El campo RegimenFiscalR, no contiene un valor del catálogo c_RegimenFiscal.',
      regimen,
    );
  const fisica = rfc.length === 13;
  if (!(fisica ? registered.fisica : registered.moral)) {
    throw pacRefusal(
      'CFDI40158',
      'La clave del campo RegimenFiscalR debe corresponder con el tipo de persona (física o moral).',
      `RegimenFiscalReceptor: ${regimen}`,
    );
  }
  if ((known && !known.regimenes.includes(regimen)) || (generic && regimen !== '616')) {
    throw pacRefusal(
      'CFDI40159',
      'La clave del campo RegimenFiscalR debe ser uno de los regímenes registrados para el RFC del receptor.',
      `RegimenFiscalReceptor: ${regimen}`,
    );
  }
  const uso = USOS.get(usoCfdi);
  if (!uso || !(fisica ? uso.fisica : uso.moral) || !uso.regimenes.includes(regimen)) {
    throw pacRefusal(
      'CFDI40161',
      'La clave del campo UsoCFDI debe corresponder con el tipo de persona (física o moral) y el régimen correspondiente conforme al catálogo c_UsoCFDI.',
      `UsoCFDI: ${usoCfdi}, RegimenFiscalReceptor: ${regimen}`,
    );
  }
}

function validateGlobal(doc: Documento, state: State) {
  const info = doc.informacionGlobal;
  const national = doc.receptor.rfc === 'XAXX010101000';
  const publico = national && doc.receptor.nombre === 'PUBLICO EN GENERAL';
  const demanded = doc.tipo === 'I' || state.switches.globalEnEgresos;
  if (!info) {
    if (publico && demanded)
      throw pacRefusal(
        'CFDI40130',
        'El nodo InformacionGlobal debe existir, ya que el RFC contiene el valor "XAXX010101000" y el nombre del receptor contiene el valor "PUBLICO EN GENERAL".',
      );
    return;
  }
  if (!national)
    throw pacRefusal(
      'CFDI40146',
      'El Rfc del receptor debe ser "XAXX010101000" cuando existe el nodo InformacionGlobal.',
      `Rfc: ${doc.receptor.rfc}`,
    );
  if (!publico)
    throw pacRefusal(
      'CFDI40130',
      'El nodo InformacionGlobal no debe existir, ya que el nombre del receptor no contiene el valor "PUBLICO EN GENERAL".',
      `Nombre: ${doc.receptor.nombre}`,
    );
  if (!PERIODICIDADES.has(info.periodicidad))
    throw pacRefusal(
      'CFDI40131',
      'El campo Periodicidad no contiene un valor del catálogo c_Periodicidad.',
      info.periodicidad,
    );
  if (info.periodicidad === '05' && doc.emisor.regimen !== '621')
    throw pacRefusal(
      'CFDI40132',
      'El campo Periodicidad contiene el valor "05" y el régimen del emisor no es "621".',
      doc.emisor.regimen,
    );
  if (!MESES.has(info.meses))
    throw pacRefusal('CFDI40133', 'El campo Meses no contiene un valor del catálogo c_Meses.', info.meses);
  const bimonthly = Number(info.meses) >= 13;
  if (info.periodicidad !== '05' && bimonthly)
    throw pacRefusal(
      'CFDI40134',
      'El campo Meses debe contener un valor de "01" a "12" cuando la periodicidad no es bimestral.',
      info.meses,
    );
  if (info.periodicidad === '05' && !bimonthly)
    throw pacRefusal(
      'CFDI40135',
      'El campo Meses debe contener un valor de "13" a "18" cuando la periodicidad es bimestral.',
      info.meses,
    );
  const year = Number(localNow().slice(0, 4));
  if (![year, year - 1].map(String).includes(info.anio))
    throw pacRefusal(
      'CFDI40136',
      'El campo Año debe ser igual al año en curso o al año inmediato anterior.',
      info.anio,
    );
}

function validateRelaciones(doc: Documento, state: State) {
  for (const { tipo, uuids } of doc.relaciones) {
    if (!RELACIONES.has(tipo))
      throw pacRefusal('CFDI40137', 'El campo TipoRelacion, no contiene un valor del catálogo c_TipoRelacion.', tipo);
    for (const uuid of uuids) {
      const related = state.findCfdi(uuid);
      if (!related) throw pacRefusal('CFDI40999', 'Error no clasificado', `El UUID relacionado ${uuid} no existe`);
      if (tipo === '03' && related.tipo === 'E')
        throw pacRefusal('CFDI40999', 'Error no clasificado', `El tipo de relación 03 no admite el egreso ${uuid}`);
    }
  }
}
