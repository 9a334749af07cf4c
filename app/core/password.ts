/** Agreed limits of a password. An operator who wants longer passwords raises the ceiling here and nowhere else. */
const PASSWORD_MIN = 8;
/** Most characters of a password; fields of passwords take no more. */
export const PASSWORD_MAX = 16;

/** The rule as forms show the rule. */
export const PASSWORD_RULE = `De ${PASSWORD_MIN} a ${PASSWORD_MAX} caracteres, sin espacios, con al menos un número, una mayúscula, una minúscula y un símbolo.`;

/**
 * Returns whether a password follows the rule. Characters are counted as code points, so a simple emoji counts once.
 * Letters of any alphabet count; a sign that is neither letter nor digit is a symbol.
 */
export function isAcceptablePassword(password: string): boolean {
  const length = [...password].length;
  return (
    length >= PASSWORD_MIN &&
    length <= PASSWORD_MAX &&
    !/\s/u.test(password) &&
    /\p{Nd}/u.test(password) &&
    /\p{Lu}/u.test(password) &&
    /\p{Ll}/u.test(password) &&
    /[^\p{L}\p{N}\s]/u.test(password)
  );
}
