import { z } from 'zod';
import { readMostrado, MAX_MOSTRADO } from './choque';
import { CP_NO_VALIDO } from './codigoPostal';
import { asciiEmail, isEmailOfDosACuatro } from './email';
import { importeEscrito } from './escrito';
import { Money } from './money';
import { isRfc, normalizeRfc } from './rfc';
import { EMAIL_NO_VALIDO, isDia, isMes, isStorable, REQUERIDO } from './text';
import { readInstant } from './time';

// Errors without words of our own are in Spanish, wherever schemas are read.
z.config(z.locales.es());

export { REQUERIDO };
export const ILEGIBLE = 'Este texto tiene caracteres que no se pueden guardar.';
const NO_EXISTE = 'Lo que se pidió no existe.';

/** Id of a row: a uuid. */
export const Id = z.uuid({ error: NO_EXISTE });

const INT4_MAX = 2_147_483_647;
/** Version of a row as the screen showed the row. A save writes the next version, which has to fit too. */
export const Version = z
  .number({ error: REQUERIDO })
  .int(NO_EXISTE)
  .min(0, NO_EXISTE)
  .max(INT4_MAX - 1, NO_EXISTE);

/** An amount of pesos inside stored JSON; returns Money. */
export const DineroGuardado = z
  .string()
  .regex(/^-?\d{1,15}(?:\.\d{1,30})?$/, { abort: true })
  .transform((text) => Money.of(text));

const tooLong = (max: number) => `Máximo ${max} caracteres`;

/** A required text, trimmed, of at most `max` characters that the database can store. */
export const Texto = (max: number, requerido: string = REQUERIDO) =>
  z.string({ error: requerido }).trim().min(1, requerido).max(max, tooLong(max)).refine(isStorable, ILEGIBLE);

/** Makes a schema optional: an empty field of a form becomes null. */
export const opcional = <T extends z.ZodType>(schema: T) =>
  schema.optional().transform((value): z.output<T> | null => value ?? null);

/** A text of at most `max` characters; null when left empty. */
export const TextoOpcional = (max: number) => opcional(Texto(max));

/** A civil day from 2000 to 2099, 'YYYY-MM-DD'. */
export const Dia = (requerido: string = REQUERIDO) =>
  z.string({ error: requerido }).trim().refine(isDia, 'La fecha no es válida.');

/** An instant that came from outside, as `readInstant` of core/time reads instants; returns a Date. */
export const InstanteEscrito = z.string().transform((text, context) => {
  const instant = readInstant(text);
  if (instant) return instant;
  context.addIssue({ code: 'custom', message: 'not an instant' });
  return z.NEVER;
});

/** A month from 2000 to 2099, 'YYYY-MM'. */
export const Mes = (requerido: string = REQUERIDO) =>
  z.string({ error: requerido }).trim().refine(isMes, 'El mes no es válido.');

/** Pesos as people write pesos; returns plain decimal text with two decimals. */
export const Importe = importeEscrito(REQUERIDO, 'El importe no es válido.');

/** An email of staff or suppliers: at most 120 characters, ending in two to four letters. */
export const Email = Texto(120).refine(isEmailOfDosACuatro, EMAIL_NO_VALIDO).overwrite(asciiEmail);

/** A postal code of five digits, leading zeros included. */
export const Cp = Texto(20).regex(/^\d{5}$/, CP_NO_VALIDO);

/** An RFC, returned in capitals without the hyphens and spaces that people write. */
export const Rfc = z
  .string({ error: REQUERIDO })
  .max(40, tooLong(40))
  .transform(normalizeRfc)
  .refine(isRfc, 'RFC No Valido');

/** A list of at most `max` values. A form that sends the field once, or not at all, gives a list too. */
export const Lista = <T extends z.ZodType>(of: T, max: number) => z.array(of).max(max, `Se admiten hasta ${max}.`);

/** Fingerprint of several rows as the screen showed the rows; see `Version`. */
export const Huella = Texto(200);

const MARCAS = new Set<object>([Version, Huella]);
/** Returns whether the schema is a mark of the state that the screen showed. */
export const isMarca = (schema: object) => MARCAS.has(schema);

/** Values that the screen showed, used only to tell people what changed since. No decision depends on these values. */
export const MostradoForm = z
  .string()
  .max(MAX_MOSTRADO)
  .optional()
  .catch(undefined)
  .transform((escrito) => readMostrado(escrito));

const SECRETOS = new WeakSet<object>();

/** A secret of at most `max` characters. A page never gets the typed value back. */
export function Secreto(max: number) {
  const schema = Texto(max);
  SECRETOS.add(schema);
  return schema;
}

/** Returns whether the schema was made by `Secreto`. */
export const isSecreto = (schema: object) => SECRETOS.has(schema);

/** Schema of a button without fields. */
export const Nada = z.object({});

/** Yes or no: reads '1' and '0', as a select or a hidden field sends them. */
export const SiNo = z.enum(['0', '1'], { error: REQUERIDO }).transform((value) => value === '1');
