export const EMAIL_NO_VALIDO = 'Email No Valido';

const PART = "[\\w!#$%&'*+/=?^`{|}~-]+";
const EMAIL = new RegExp(`^${PART}(?:\\.${PART})*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$`, 'i');

/** One address, plainly written. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text);
}

/**
 * The exception: the pattern that the business asked for ends in two to four letters. The forms of staff keep to it: users, agents, suppliers, links
 * and simple notes. The fiscal data of a customer do not: a real address that ends in '.online' has to receive its factura.
 */
export function isEmailOfDosACuatro(text: string): boolean {
  return text.length <= 120 && isEmail(text) && /\.[a-z]{2,4}$/i.test(text);
}
