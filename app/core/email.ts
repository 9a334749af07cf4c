const PART = "[\\w!#$%&'*+/=?^`{|}~-]+";
/** A domain in letters of any script, such as 'muñoz.com'. */
const IDN = /@(?=[^@]*[^\x00-\x7F])([\p{L}\p{M}\p{N}.-]+)$/u;
const EMAIL = new RegExp(
  `^${PART}(?:\\.${PART})*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$`,
  'i',
);

/** Returns the address with its domain in ASCII, as mail servers and the PAC take domains: 'a@muñoz.com' is 'a@xn--muoz-hqa.com'. */
export function asciiEmail(text: string): string {
  return text.replace(IDN, (whole, domain: string) =>
    URL.canParse(`http://${domain}`) ? `@${new URL(`http://${domain}`).hostname}` : whole,
  );
}

/** Returns whether the text is a single plain email address of at most 254 characters; its domain may be of any script. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL.test(asciiEmail(text));
}

/**
 * Returns whether the address also ends in two to four letters, the pattern that the business asked for. The forms of
 * staff keep to this pattern: users, agents, suppliers, links and simple notes. The fiscal data of a customer do not:
 * an address that ends in '.online' has to receive its factura.
 */
export function isEmailOfDosACuatro(text: string): boolean {
  return text.length <= 120 && isEmail(text) && /\.[a-z]{2,4}$/i.test(text);
}
