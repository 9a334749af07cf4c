export const EMAIL_NO_VALIDO = 'Email No Valido';

const PART = "[\\w!#$%&'*+/=?^`{|}~-]+";
const EMAIL = new RegExp(`^${PART}(?:\\.${PART})*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$`, 'i');

/** Returns whether the text is a single plain email address of at most 254 characters. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text);
}

/**
 * Returns whether the address also ends in two to four letters, the pattern that the business asked for. The forms of
 * staff keep to this pattern: users, agents, suppliers, links and simple notes. The fiscal data of a customer do not:
 * an address that ends in '.online' has to receive its factura.
 */
export function isEmailOfDosACuatro(text: string): boolean {
  return text.length <= 120 && isEmail(text) && /\.[a-z]{2,4}$/i.test(text);
}
