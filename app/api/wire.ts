import { z } from 'zod';
import type { Money } from '~/core/money';

/* What answers of the API are made of. Inside they are Money and Date; on the wire they are text. */

/** Pesos as decimal text: a JSON number would lose centavos. */
export const Pesos = z
  .string()
  .regex(/^-?\d+(?:\.\d{1,6})?$/)
  .meta({ description: 'Importe como texto decimal, sin comas.', examples: ['1298.00'] });

/** An instant with its zone. */
export const Instante = z.iso
  .datetime({ offset: true })
  .meta({ description: 'Instante ISO 8601 con zona.', examples: ['2026-11-23T18:30:00.000Z'] });

/** A civil day of the business zone. */
export const DiaCivil = z.iso
  .date()
  .meta({ description: 'Día civil en la zona del negocio.', examples: ['2026-11-23'] });

/** The mark (ETag) of a row, as an answer gives it. */
export const HuellaLeida = z
  .string()
  .meta({ description: 'La marca de lo que se leyó: un cambio la lleva de regreso.' });

/** An answer that is written as JSON already and holds the fields of its schema. */
export class Written {
  constructor(readonly text: string) {}
}

/** An answer before it is written: amounts and instants as the domain has them. */
export type Crudo<T> = T extends string
  ? string | Date | Money
  : T extends readonly (infer Item)[]
    ? readonly Crudo<Item>[]
    : T extends object
      ? { [K in keyof T]: Crudo<T[K]> }
      : T;
