import { z } from 'zod';
import { readMostrado, MAX_MOSTRADO } from './choque';
import { CP_NO_VALIDO } from './codigoPostal';
import { EMAIL_NO_VALIDO, isEmailOfDosACuatro } from './email';
import { importeEscrito } from './escrito';
import { Money } from './money';
import { isRfc, normalizeRfc } from './rfc';
import { isDia, isMes, isStorable } from './text';

// What a schema does not say in its own words is said in Spanish, wherever schemas are read.
z.config(z.locales.es());

export const REQUERIDO = 'Este dato es requerido';
export const ILEGIBLE = 'Este texto tiene caracteres que no se pueden guardar.';
const NO_EXISTE = 'Lo que se pidió no existe.';

/** The key of a row of ours. */
export const Id = z.uuid({ error: NO_EXISTE });

const INT4_MAX = 2_147_483_647;
/** Which state of a row its screen showed. A save writes the next one, which has to fit too. */
export const Version = z
  .number({ error: REQUERIDO })
  .int(NO_EXISTE)
  .min(0, NO_EXISTE)
  .max(INT4_MAX - 1, NO_EXISTE);

/** An amount as a row of ours keeps it in JSON. */
export const DineroGuardado = z
  .string()
  .regex(/^-?\d{1,15}(?:\.\d{1,30})?$/, { abort: true })
  .transform((text) => Money.of(text));

const tooLong = (max: number) => `Máximo ${max} caracteres`;

/** A text that has to be there, trimmed, of what the database can keep. */
export const Texto = (max: number, requerido: string = REQUERIDO) =>
  z.string({ error: requerido }).trim().min(1, requerido).max(max, tooLong(max)).refine(isStorable, ILEGIBLE);

/** What may be left out: null then. A form's empty field is one left out. */
export const opcional = <T extends z.ZodType>(schema: T) =>
  schema.optional().transform((value): z.output<T> | null => value ?? null);

export const TextoOpcional = (max: number) => opcional(Texto(max));

/** A civil day from 2000 to 2099, 'YYYY-MM-DD'. */
export const Dia = (requerido: string = REQUERIDO) =>
  z.string({ error: requerido }).trim().refine(isDia, 'La fecha no es válida.');

/** A month from 2000 to 2099, 'YYYY-MM'. */
export const Mes = (requerido: string = REQUERIDO) =>
  z.string({ error: requerido }).trim().refine(isMes, 'El mes no es válido.');

/** Pesos as people write them, kept as plain decimal text with two decimals. */
export const Importe = importeEscrito(REQUERIDO, 'El importe no es válido.');

export const Email = Texto(120).refine(isEmailOfDosACuatro, EMAIL_NO_VALIDO);

/** A postal code, zeros in front included. */
export const Cp = Texto(20).regex(/^\d{5}$/, CP_NO_VALIDO);

/** Well formed, in capitals, without the hyphens people write. */
export const Rfc = z
  .string({ error: REQUERIDO })
  .max(40, tooLong(40))
  .transform(normalizeRfc)
  .refine(isRfc, 'RFC No Valido');

/** Several of one kind. A form that names the field once, or not at all, sends a list too. */
export const Lista = <T extends z.ZodType>(of: T, max: number) => z.array(of).max(max, `Se admiten hasta ${max}.`);

/** Which state of several rows its screen showed, in so many characters. */
export const Huella = Texto(200);

const MARCAS = new Set<object>([Version, Huella]);
export const isMarca = (schema: object) => MARCAS.has(schema);

/** What the screen showed, to tell what changed since; nothing is decided by it. */
export const MostradoForm = z
  .string()
  .max(MAX_MOSTRADO)
  .optional()
  .catch(undefined)
  .transform((escrito) => readMostrado(escrito));

const SECRETOS = new WeakSet<object>();

/** A key: what was typed is never written back into a page. */
export function Secreto(max: number) {
  const schema = Texto(max);
  SECRETOS.add(schema);
  return schema;
}

export const isSecreto = (schema: object) => SECRETOS.has(schema);

/** Of a button that sends nothing but itself. */
export const Nada = z.object({});

/** '1' and '0', as a select or a hidden field says yes and no. */
export const SiNo = z.enum(['0', '1'], { error: REQUERIDO }).transform((value) => value === '1');
