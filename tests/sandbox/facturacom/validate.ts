/**
 * Validation by the SAT's matrix, in the order of a PAC: date, catalogues, receiver, global information, relations, concepts, sums. The first
 * refusal wins.
 */
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
import { validateConceptos } from './validateConceptos';
import type { Documento } from './documento';
import { localNow, secondsFromNow } from './fechas';
import { pacRefusal, refuseIf, requireRule } from './refusals';
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

/** Refuses what the XSD refuses before any rule: the pipe, long texts, and characters that XML does not take. */
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
    refuseIf(value.includes('|') || [...value].length > limit || [...value].some(isOutsideXml), '301', detail);
  }
  requireRule(/^\d{5}$/.test(doc.lugarExpedicion), 'CFDI40126', doc.lugarExpedicion);
}

/** Whether XML 1.0 has no way to write a character. */
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
  requireRule(seconds !== undefined, '301', `El valor '${fecha}' del atributo Fecha no es una fecha`);
  refuseIf(seconds < -HOURS_72 || seconds > CLOCK_SLACK, '401', `Fecha: ${fecha}, hora local: ${localNow()}`);
}

function validateCatalogues(doc: Documento) {
  requireRule(FORMAS_PAGO.has(doc.formaPago), 'CFDI40104', doc.formaPago);
  requireRule(METODOS_PAGO.has(doc.metodoPago), 'CFDI40124', doc.metodoPago);
  refuseIf(doc.metodoPago === 'PPD' && doc.formaPago !== '99', 'CFDI40105', doc.formaPago);
  requireRule(USOS.has(doc.receptor.usoCfdi), 'CFDI40160', doc.receptor.usoCfdi);
  requireRule(REGIMENES.has(doc.emisor.regimen), 'CFDI40140', doc.emisor.regimen);
  requireRule(REGIMENES.get(doc.emisor.regimen)?.moral, 'CFDI40141', doc.emisor.regimen);
  doc.conceptos.forEach((concepto, index) => {
    const at = `Concepto ${index + 1}`;
    refuseIf(
      !/^\d{8}$/.test(concepto.claveProdServ) || concepto.claveProdServ === '00000000',
      'CFDI40162',
      `${at}: ${concepto.claveProdServ}`,
    );
    requireRule(CLAVES_UNIDAD.has(concepto.claveUnidad), 'CFDI40165', `${at}: ${concepto.claveUnidad}`);
    requireRule(OBJETOS_IMP.has(concepto.objetoImp), 'CFDI40170', `${at}: ${concepto.objetoImp}`);
  });
}

function validateReceptor(doc: Documento, state: State) {
  const { rfc, nombre, cp, regimen, usoCfdi } = doc.receptor;
  const generic = GENERIC_RFCS.includes(rfc);
  const known = state.contribuyentes.get(rfc);
  refuseIf(!generic && !known && !state.switches.aceptaTodo, 'CFDI40143', `Rfc: ${rfc}`);
  refuseIf(known && known.nombre !== nombre, 'CFDI40145', `Nombre: ${nombre}, Rfc: ${rfc}`);
  refuseIf(!/^\d{5}$/.test(cp) || cp === '00000', 'CFDI40147', `DomicilioFiscalReceptor: ${cp}`);
  refuseIf(known && known.cp !== cp, 'CFDI40148', `DomicilioFiscalReceptor: ${cp}`);
  refuseIf(
    generic && cp !== doc.lugarExpedicion,
    'CFDI40149',
    `DomicilioFiscalReceptor: ${cp}, LugarExpedicion: ${doc.lugarExpedicion}`,
  );
  const registered = REGIMENES.get(regimen);
  requireRule(registered, 'CFDI40157', regimen);
  const fisica = rfc.length === 13;
  requireRule(fisica ? registered.fisica : registered.moral, 'CFDI40158', `RegimenFiscalReceptor: ${regimen}`);
  refuseIf(
    (known && !known.regimenes.includes(regimen)) || (generic && regimen !== '616'),
    'CFDI40159',
    `RegimenFiscalReceptor: ${regimen}`,
  );
  const uso = USOS.get(usoCfdi);
  requireRule(
    uso && (fisica ? uso.fisica : uso.moral) && uso.regimenes.includes(regimen),
    'CFDI40161',
    `UsoCFDI: ${usoCfdi}, RegimenFiscalReceptor: ${regimen}`,
  );
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
  requireRule(national, 'CFDI40146', `Rfc: ${doc.receptor.rfc}`);
  if (!publico)
    throw pacRefusal(
      'CFDI40130',
      'El nodo InformacionGlobal no debe existir, ya que el nombre del receptor no contiene el valor "PUBLICO EN GENERAL".',
      `Nombre: ${doc.receptor.nombre}`,
    );
  requireRule(PERIODICIDADES.has(info.periodicidad), 'CFDI40131', info.periodicidad);
  refuseIf(info.periodicidad === '05' && doc.emisor.regimen !== '621', 'CFDI40132', doc.emisor.regimen);
  requireRule(MESES.has(info.meses), 'CFDI40133', info.meses);
  const bimonthly = Number(info.meses) >= 13;
  refuseIf(info.periodicidad !== '05' && bimonthly, 'CFDI40134', info.meses);
  refuseIf(info.periodicidad === '05' && !bimonthly, 'CFDI40135', info.meses);
  const year = Number(localNow().slice(0, 4));
  requireRule([year, year - 1].map(String).includes(info.anio), 'CFDI40136', info.anio);
}

function validateRelaciones(doc: Documento, state: State) {
  for (const { tipo, uuids } of doc.relaciones) {
    requireRule(RELACIONES.has(tipo), 'CFDI40137', tipo);
    for (const uuid of uuids) {
      const related = state.findCfdi(uuid);
      if (!related) throw pacRefusal('CFDI40999', 'Error no clasificado', `El UUID relacionado ${uuid} no existe`);
      if (tipo === '03' && related.tipo === 'E')
        throw pacRefusal('CFDI40999', 'Error no clasificado', `El tipo de relación 03 no admite el egreso ${uuid}`);
    }
  }
}
