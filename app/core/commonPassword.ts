import { tableOf } from '~/core/table';

/**
 * Words that people build passwords from when a rule wants a capital, a digit and a symbol. Source: published lists of
 * leaked passwords, in Spanish and English. Only words of four letters or more, without accents: shorter parts are
 * additions to a password.
 */
const COMMON = new Set(
  `password passwort passw contrasena contrasenia contra clave claves acceso entrar entrada secreto usuario
  usuarios admin administrador administrator administracion root user login welcome bienvenido bienvenida changeme cambiame cambiar
  temporal prueba pruebas test testing tester demo default invitado guest master maestro super sistema sistemas servidor server
  qwerty qwertyuiop qwert asdf asdfgh asdfghjkl zxcv zxcvbn zxcvbnm abcd abcde abcdef abcdefg abcdefgh abcabc qazwsx qwer azerty
  hola holahola hello mexico mexicano mexicana chivas america pumas cruzazul tigres rayados guadalajara monterrey puebla
  guadalupe lupita virgen dios diosesamor jesus jesucristo cristo bendicion teamo tequiero amor amorcito miamor corazon princesa
  princess estrella mariposa chocolate bonita bonito hermosa hermoso preciosa familia mama papa mami papi bebe nena gordo gorda
  futbol soccer football baseball barcelona realmadrid madrid messi ronaldo superman batman spiderman pokemon naruto dragon starwars
  letmein iloveyou sunshine shadow monkey tiger trustno freedom whatever computer computadora internet samsung nokia apple google facebook
  maria jose juan carlos daniel david alejandro alejandra fernando fernanda miguel angel angeles antonio francisco gabriel gabriela
  ricardo roberto eduardo andrea andres jessica jennifer michelle sofia valeria ximena diego jorge luis pedro pablo sergio
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre primavera verano otono invierno
  spring summer autumn winter january february march april june july august september october november december
  lunes martes miercoles jueves viernes sabado domingo monday friday sunday
  empresa oficina negocio ventas tienda almacen bodega compras facturas factura contador contabilidad gerente mercadolibre mercado amazon
  dinero pesos gracias amigos amiga amigo perro gato pass pases`.split(/\s+/),
);

/** Letters behind the signs that replace them. */
const LOOKS_LIKE: Record<string, string> = tableOf({
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
});
const RUNS = '01234567890 09876543210 abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm';

/** Returns the text in small letters without accents. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const lettersOf = (text: string) => text.replace(/\P{L}/gu, '');
const read = (text: string) => [...text].map((sign) => LOOKS_LIKE[sign] ?? sign).join('');

/** The refusal of a password that is easy to guess. */
export const FACIL_DE_ADIVINAR =
  'Esta contraseña es fácil de adivinar. No uses palabras comunes, series de teclas, el nombre de la tienda ni el del usuario.';

/**
 * Returns whether a guesser tries the password early. Guessers try common words with digits and symbols around or
 * inside, repetitions of few signs, runs of the keyboard, and the names in `own` (the shop, the user).
 */
export function isCommonPassword(password: string, own: readonly string[]): boolean {
  const text = plain(password);
  // The stem runs from the first letter to the last.
  const [stem = ''] = /\p{L}(?:.*\p{L})?/su.exec(text) ?? [];
  const words = [lettersOf(text), lettersOf(read(text)), lettersOf(read(stem)), lettersOf(stem)];
  if (words.some((word) => COMMON.has(word))) return true;
  if (new Set(text).size < 5 || hasLongRun(text)) return true;
  return own
    .flatMap((name) => plain(name).match(/[\p{L}\p{N}]+/gu) ?? [])
    .some((name) =>
      // A short name counts only when the password has no other letters.
      name.length < 4 ? words.includes(name) : text.includes(name) || words.some((word) => word.includes(name)),
    );
}

/** Returns whether six signs in a row follow the alphabet or the keyboard. */
function hasLongRun(text: string): boolean {
  for (let at = 0; at + 6 <= text.length; at += 1) if (RUNS.includes(text.slice(at, at + 6))) return true;
  return false;
}
