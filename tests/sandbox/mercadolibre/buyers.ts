import { FIRST_NAMES, LAST_NAMES, PLACES, STREETS, type Place } from './data/places';
import { fiscalOfKind, type Fiscal, type FiscalKind } from './fiscal';
import { randomOf } from './random';

export interface Buyer {
  index: number;
  id: number;
  nickname: string;
  firstName: string;
  lastName: string;
  street: string;
  streetNumber: string;
  comment: string | null;
  place: Place;
  fiscal: Fiscal;
}

export const BUYERS = 124;
/** Kinds of tax data that buyers typed, in turns of twenty-four buyers. */
const FISCAL_TURNS: FiscalKind[] = [
  'ninguno',
  'persona',
  'empresa',
  'ninguno',
  'persona',
  'ninguno',
  'conRegimenSocietario',
  'persona',
  'empresa',
  'ninguno',
  'cpErroneo',
  'ninguno',
  'ninguno',
  'empresa',
  'persona',
  'generico',
  'ninguno',
  'persona',
  'ninguno',
  'empresa',
  'persona',
  'conNulos',
  'ninguno',
  'persona',
];

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toUpperCase();

export function createBuyers(seed: string): Buyer[] {
  const turns = new Map<FiscalKind, number>();
  return Array.from({ length: BUYERS }, (_, index) => {
    const random = randomOf(seed, 'comprador', index);
    const kind = FISCAL_TURNS[index % FISCAL_TURNS.length]!;
    const turn = turns.get(kind) ?? 0;
    turns.set(kind, turn + 1);
    const firstName = random.pick(FIRST_NAMES);
    const lastName = `${random.pick(LAST_NAMES)} ${random.pick(LAST_NAMES)}`;
    // Ids of newer accounts are past 2^31.
    const id = index % 3 === 2 ? 2512345678 + index * 7919 : 812345678 + index * 104729;
    return {
      index,
      id,
      nickname: `${plain(firstName).slice(0, 6)}${plain(lastName).slice(0, 5)}${random.int(10, 9999)}`,
      firstName,
      lastName,
      street: random.pick(STREETS),
      streetNumber: random.chance(0.1) ? 'SN' : String(random.int(1, 2400)),
      comment: random.chance(0.6)
        ? random.pick([
            'Int 4 Referencia: portón verde',
            'Referencia: entre Juárez y Allende, casa azul',
            'Depto 302',
            'Referencia: frente a la papelería "El Lápiz"',
          ])
        : null,
      place: random.pick(PLACES),
      fiscal: fiscalOfKind(kind, turn, random),
    };
  });
}
