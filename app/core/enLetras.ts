import type { Money } from './money';

const HASTA_29 = [
  'cero',
  'uno',
  'dos',
  'tres',
  'cuatro',
  'cinco',
  'seis',
  'siete',
  'ocho',
  'nueve',
  'diez',
  'once',
  'doce',
  'trece',
  'catorce',
  'quince',
  'dieciséis',
  'diecisiete',
  'dieciocho',
  'diecinueve',
  'veinte',
  'veintiuno',
  'veintidós',
  'veintitrés',
  'veinticuatro',
  'veinticinco',
  'veintiséis',
  'veintisiete',
  'veintiocho',
  'veintinueve',
] as const;
const DECENAS = ['', '', '', 'treinta', 'cuarenta', 'cincuenta', 'sesenta', 'setenta', 'ochenta', 'noventa'] as const;
const CENTENAS = [
  '',
  'ciento',
  'doscientos',
  'trescientos',
  'cuatrocientos',
  'quinientos',
  'seiscientos',
  'setecientos',
  'ochocientos',
  'novecientos',
] as const;
const LARGEST = 999_999_999_999n;

/**
 * Returns an amount as Mexican documents write amounts: 'MIL DOSCIENTOS TREINTA Y UN PESOS 50/100 M.N.'. Cents are
 * figures over 100. Throws RangeError above 999,999,999,999.99.
 */
export function enLetras(amount: Money): string {
  const [whole = '', cents = ''] = amount.toFixed(2).replace('-', '').split('.');
  const pesos = BigInt(whole);
  if (pesos > LARGEST) throw new RangeError(`too much to write in words: ${amount.toFixed(2)}`);
  // Spanish puts 'de' between whole millions and the noun.
  const noun = pesos === 1n ? 'peso' : pesos >= 1_000_000n && pesos % 1_000_000n === 0n ? 'de pesos' : 'pesos';
  const sign = amount.isNegative() ? 'menos ' : '';
  return `${sign}${words(pesos)} ${noun} ${cents}/100 M.N.`.toUpperCase();
}

/** Returns a number in words before a masculine noun, so 'uno' becomes 'un'. */
function words(value: bigint): string {
  if (value === 0n) return HASTA_29[0];
  const millones = value / 1_000_000n;
  const miles = Number((value / 1_000n) % 1_000n);
  const unidades = Number(value % 1_000n);
  return [
    millones === 0n ? '' : millones === 1n ? 'un millón' : `${words(millones)} millones`,
    miles === 0 ? '' : miles === 1 ? 'mil' : `${underThousand(miles)} mil`,
    unidades === 0 ? '' : underThousand(unidades),
  ]
    .filter(Boolean)
    .join(' ');
}

function underThousand(value: number): string {
  if (value === 100) return 'cien';
  return [CENTENAS[Math.floor(value / 100)], underHundred(value % 100)].filter(Boolean).join(' ');
}

function underHundred(value: number): string {
  if (value === 0) return '';
  if (value === 1) return 'un';
  if (value === 21) return 'veintiún';
  if (value < 30) return HASTA_29[value]!;
  const unidad = value % 10;
  return `${DECENAS[Math.floor(value / 10)]}${unidad === 0 ? '' : ` y ${unidad === 1 ? 'un' : HASTA_29[unidad]}`}`;
}
