import { randomInt } from 'node:crypto';

/** Digits and capitals without those that look alike: people read such a code from one place and write it in another. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a random code of so many letters, 5 bits each. */
export const newCodigoEscrito = (largo: number): string =>
  Array.from({ length: largo }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** Returns the code that these bytes write, a letter of 5 bits of each. */
export const codigoEscritoOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
