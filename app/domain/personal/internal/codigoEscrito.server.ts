import { randomInt } from 'node:crypto';

/** Digits and capitals without those that look alike: people read such a code from one place and write it in another. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a random code of so many letters, 5 bits each. */
export const newCodigoEscrito = (largo: number): string =>
  Array.from({ length: largo }, () => LETTERS[randomInt(LETTERS.length)]).join('');
