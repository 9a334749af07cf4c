import { isGenericRfc, personaOf } from '~/core/rfc';
import { FORMAS_PAGO, REGIMENES, UNIDADES, USOS, type Clave, type Persona, type Regimen, type Uso } from './sat';

/** One choice of a selector. Its label reads 'G03 - Gastos en general'. */
export type Opcion = { value: string; label: string };

/** Regime and use that the SAT demands with XAXX010101000 and XEXX010101000. */
export const REGIMEN_GENERICO = '616';
export const USO_GENERICO = 'S01';
/** Uses of payment complements and payroll: never offered, never accepted. */
const USOS_AJENOS = new Set(['CP01', 'CN01']);

/** The regimes that the kind of person of an RFC can have; a generic RFC has 616 alone. */
export function regimenesFor(rfc: string): Regimen[] {
  if (isGenericRfc(rfc)) return REGIMENES.filter((regimen) => regimen.id === REGIMEN_GENERICO);
  return REGIMENES.filter((regimen) => suits(regimen.persona, rfc));
}

/** The uses that an RFC may have under a regime; without a regime, those of its kind of person. A generic RFC has S01 alone. */
export function usosFor(rfc: string, regimen?: string): Uso[] {
  if (isGenericRfc(rfc)) return USOS.filter((uso) => uso.id === USO_GENERICO);
  return USOS.filter(
    (uso) => !USOS_AJENOS.has(uso.id) && suits(uso.persona, rfc) && (!regimen || uso.regimenes.includes(regimen)),
  );
}

/** The use a form proposes: G03 where the RFC may have it, S01 otherwise. Wage earners, for one, may not use G03. */
export function usoPropuesto(rfc: string, regimen: string): string {
  return usosFor(rfc, regimen).some((uso) => uso.id === 'G03') ? 'G03' : USO_GENERICO;
}

/** Payment forms of a document paid at once (PUE), the only kind that Trastienda issues; 99 is for PPD. */
export const FORMAS_PAGO_PUE = FORMAS_PAGO.filter((forma) => forma.id !== '99');

/** The keys of a catalogue as choices of a selector. */
export function opcionesOf(claves: readonly Clave[]): Opcion[] {
  return claves.map((clave) => ({ value: clave.id, label: etiquetaOf(clave) }));
}

function etiquetaOf({ id, texto }: Clave): string {
  return `${id} - ${texto}`;
}

/** 'G03 - Gastos en general' for a key of a catalogue; the key alone when the catalogue does not know it. */
export function etiquetaEn(claves: readonly Clave[], id: string): string {
  const clave = claves.find((one) => one.id === id);
  return clave ? etiquetaOf(clave) : id;
}

/** The name of a unit; the key itself when the catalogue does not have it. */
export function unidadOf(clave: string): string {
  return UNIDADES.find((unidad) => unidad.id === clave)?.texto ?? clave;
}

function suits(persona: Persona, rfc: string): boolean {
  return persona === 'FM' || persona === (personaOf(rfc) === 'moral' ? 'M' : 'F');
}
