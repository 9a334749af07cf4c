import register from '../facturacom/data/contribuyentes.json';
import type { Random } from './random';

/** Kinds of tax data that buyers type: right, wrong in one of the usual ways, generic, with holes, or none. */
export const FISCAL_KINDS = [
  'ninguno',
  'persona',
  'empresa',
  'conRegimenSocietario',
  'cpErroneo',
  'generico',
  'conNulos',
] as const;
export type FiscalKind = (typeof FISCAL_KINDS)[number];

export interface Fiscal {
  kind: FiscalKind;
  rfc: string | null;
  /** Given name of a person, or the whole legal name of a company. */
  name: string | null;
  lastName: string | null;
  company: boolean;
  cp: string | null;
  regimen: string | null;
  usoCfdi: string | null;
}

export interface Taxpayer {
  rfc: string;
  nombre: string;
  cp: string;
  regimenes: string[];
}

const TAXPAYERS: Taxpayer[] = register;
const isCompany = (rfc: string) => rfc.length === 12;
const PEOPLE = TAXPAYERS.filter((one) => !isCompany(one.rfc));
const COMPANIES = TAXPAYERS.filter((one) => isCompany(one.rfc));

export const REGIMENES: Record<string, string> = {
  '601': 'General de Ley Personas Morales',
  '603': 'Personas Morales con Fines no Lucrativos',
  '605': 'Sueldos y Salarios e Ingresos Asimilados a Salarios',
  '606': 'Arrendamiento',
  '611': 'Ingresos por Dividendos (socios y accionistas)',
  '612': 'Personas Físicas con Actividades Empresariales y Profesionales',
  '616': 'Sin obligaciones fiscales',
  '620': 'Sociedades Cooperativas de Producción que optan por diferir sus ingresos',
  '621': 'Incorporación Fiscal',
  '622': 'Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras',
  '623': 'Opcional para Grupos de Sociedades',
  '624': 'Coordinados',
  '625': 'Régimen de las Actividades Empresariales con ingresos a través de Plataformas Tecnológicas',
  '626': 'Régimen Simplificado de Confianza',
};
export const USOS: Record<string, string> = {
  G01: 'Adquisición de mercancías',
  G03: 'Gastos en general',
  I04: 'Equipo de computo y accesorios',
  I08: 'Otra maquinaria y equipo',
  S01: 'Sin efectos fiscales',
};
/** A use that fits a régimen. 605, 616 and 611 admit only uses without effects, among those that a buyer can choose. */
const usoOf = (regimen: string, random: Random) =>
  ['605', '616', '611'].includes(regimen) ? 'S01' : random.pick(['G03', 'G03', 'G03', 'G01', 'I04', 'I08']);

export const taxpayerOf = (rfc: string) => TAXPAYERS.find((one) => one.rfc === rfc);

/** Given names and surnames of a name in the register, whose last two words are the surnames. */
function namesOf(nombre: string): [string, string] {
  const words = nombre.split(' ');
  const cut = words.length > 2 ? words.length - 2 : 1;
  return [words.slice(0, cut).join(' '), words.slice(cut).join(' ')];
}

export function fiscalOfTaxpayer(taxpayer: Taxpayer, random: Random): Fiscal {
  const company = isCompany(taxpayer.rfc);
  const [name, lastName] = company ? [taxpayer.nombre, null] : namesOf(taxpayer.nombre);
  const regimen = taxpayer.regimenes[0] ?? '616';
  return {
    kind: company ? 'empresa' : 'persona',
    rfc: taxpayer.rfc,
    name,
    lastName,
    company,
    cp: taxpayer.cp,
    regimen,
    usoCfdi: usoOf(regimen, random),
  };
}

/** Tax data of a kind. `turn` walks through the register, so that every taxpayer buys something. */
export function fiscalOfKind(kind: FiscalKind, turn: number, random: Random): Fiscal {
  const person = () => fiscalOfTaxpayer(PEOPLE[turn % PEOPLE.length]!, random);
  const company = () => fiscalOfTaxpayer(COMPANIES[turn % COMPANIES.length]!, random);
  switch (kind) {
    case 'persona':
      return person();
    case 'empresa':
      return company();
    case 'conRegimenSocietario': {
      const right = company();
      return { ...right, kind, name: `${right.name} ${random.pick(['SA DE CV', 'S.A. de C.V.', 'S DE RL DE CV'])}` };
    }
    case 'cpErroneo': {
      const right = random.chance(0.5) ? person() : company();
      return { ...right, kind, cp: right.cp === '01000' ? '01010' : '01000' };
    }
    case 'generico':
      return {
        kind,
        rfc: 'XAXX010101000',
        name: 'PUBLICO EN GENERAL',
        lastName: null,
        company: false,
        cp: null,
        regimen: '616',
        usoCfdi: 'S01',
      };
    case 'conNulos': {
      const right = person();
      return { ...right, kind, lastName: null, cp: null, regimen: null, usoCfdi: null };
    }
    case 'ninguno':
      return { kind, rfc: null, name: null, lastName: null, company: false, cp: null, regimen: null, usoCfdi: null };
  }
}
