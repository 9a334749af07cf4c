import { z } from 'zod';
import type { Money } from '~/core/money';
import { isDia } from '~/core/text';
import { civilDay, readDay, readEnd } from '~/core/time';
import { Instante } from '../wire';

/* Shapes that the calls of the old client share. The old client adds amounts, so they are JSON numbers; amounts of `/api/v1` are text. */

export const Numero = z.number().meta({ description: 'Pesos. El cliente anterior los suma como números.' });

export function numero(importe: Money | string): number;
export function numero(importe: Money | string | null): number | null;
export function numero(importe: Money | string | null): number | null {
  return importe === null ? null : Number(typeof importe === 'string' ? importe : importe.toFixed(2));
}

/** An amount or a count, as a number or as people write it. */
export const Escrito = z.union([z.number(), z.string().max(60)]).transform(String);

/** An optional field of the old client, which sends what nobody wrote as '', as blanks or as null. */
export const vacio = <S extends z.ZodType>(schema: S) =>
  z
    .preprocess(
      (said) => (said === null || (typeof said === 'string' && said.trim() === '') ? undefined : said),
      schema.optional(),
    )
    .optional();

/** The answer of a change that tells nothing but its message. */
export const Hecho = z.object({ error: z.literal(false), message: z.string() });
export const hecho = (message: string) => ({ error: false as const, message });

/** An end of a range as the old client writes it: an instant, which counts itself, or a day, which counts whole. */
const endOf = (end: 'from' | 'to') =>
  z
    .string()
    .max(40)
    .transform((text, ctx) => {
      const instant = readEnd(text, end);
      if (instant && isDia(civilDay(instant))) return instant;
      ctx.addIssue({ code: 'custom', message: 'La fecha no es válida.' });
      return z.NEVER;
    });

/** A day, also as people write it (27/11/2026, 2026/11/27), or an instant that is read as its day in the zone of the business. */
export const DiaEscrito = z
  .string()
  .max(40)
  .transform((text, ctx) => {
    const [, dd, mm, aaaa] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text.trim()) ?? [];
    const dia = readDay(dd ? `${aaaa}-${mm}-${dd}` : text.trim().replaceAll('/', '-'));
    if (dia && isDia(dia)) return dia;
    ctx.addIssue({ code: 'custom', message: 'La fecha no es válida.' });
    return z.NEVER;
  });

const MAX_MS = 401 * 86_400_000;
export const Rango = z
  .object({ from: endOf('from'), to: endOf('to') })
  // A text that is no instant was refused already, and comes here as it was written.
  .refine(
    ({ from, to }) =>
      !(from instanceof Date && to instanceof Date) || (to >= from && to.getTime() - from.getTime() <= MAX_MS),
    'El rango de fechas no es válido.',
  );

/** Returns the days of a range, as lists of the product take them. */
export const diasOf = ({ from, to }: z.output<typeof Rango>) => ({ desde: civilDay(from), hasta: civilDay(to) });

export const Id = z.object({ id: z.uuid() });
export { Instante };

/** A field of the old client: its type on the wire, and the field of our row that it is, or how it is made of the row. */
type Field<Row> = readonly [z.ZodType, (keyof Row & string) | ((row: Row) => unknown)];

/** The value that a field has for a row. */
type ValueOf<Row, F> = F extends readonly [unknown, infer From]
  ? From extends keyof Row
    ? Row[From]
    : From extends (row: Row) => infer Value
      ? Value
      : never
  : never;

/**
 * Returns the shape of a noun at the old client: `wire` is the schema of its answer, and `of` makes that answer of a row of ours. Each field is one line that
 * names its type and its source, so the two cannot part.
 */
export const shapeOf =
  <Row>() =>
  <const Fields extends Record<string, Field<Row>>>(fields: Fields) => ({
    wire: z.object(
      Object.fromEntries(Object.entries(fields).map(([name, [type]]) => [name, type])) as {
        -readonly [Name in keyof Fields]: Fields[Name][0];
      },
    ),
    of: (row: Row) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, [, from]]) => [name, typeof from === 'function' ? from(row) : row[from]]),
      ) as { -readonly [Name in keyof Fields]: ValueOf<Row, Fields[Name]> },
  });
