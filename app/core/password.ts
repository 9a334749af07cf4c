/** Fewest characters of a password. */
const PASSWORD_MIN = 8;
/** Most characters of a password: 16 as agreed, up to 128 by the setting PASSWORD_MAX. Form, page and API read it here. */
export const PASSWORD_MAX = Number(settingOfMax() || 16);

/** The setting of this process; in the browser what the server wrote into the page, so that both refuse the same. */
function settingOfMax(): string | undefined {
  if (typeof document !== 'undefined') return document.documentElement.dataset.passwordMax;
  return typeof process === 'undefined' ? undefined : process.env.PASSWORD_MAX;
}

/** The rule as forms show the rule. */
export const PASSWORD_RULE = `De ${PASSWORD_MIN} a ${PASSWORD_MAX} caracteres, sin espacios, con al menos un número, una mayúscula, una minúscula y un símbolo.`;

/** The parts of the rule, each with its words and its test. */
export const PASSWORD_RULES: readonly { texto: string; cumple: (password: string) => boolean }[] = [
  {
    texto: `De ${PASSWORD_MIN} a ${PASSWORD_MAX} caracteres, sin espacios`,
    cumple: (password) =>
      [...password].length >= PASSWORD_MIN && [...password].length <= PASSWORD_MAX && !/\s/u.test(password),
  },
  { texto: 'Un número', cumple: (password) => /\p{Nd}/u.test(password) },
  { texto: 'Una mayúscula', cumple: (password) => /\p{Lu}/u.test(password) },
  { texto: 'Una minúscula', cumple: (password) => /\p{Ll}/u.test(password) },
  { texto: 'Un símbolo', cumple: (password) => /[^\p{L}\p{N}\s]/u.test(password) },
];

/**
 * Returns whether a password follows the rule. Characters are counted as code points, so a simple emoji counts once.
 * Letters of any alphabet count; a sign that is neither letter nor digit is a symbol.
 */
export const isAcceptablePassword = (password: string): boolean =>
  PASSWORD_RULES.every(({ cumple }) => cumple(password));
