import { z } from 'zod';
import { Dia, Huella, opcional, REQUERIDO } from '~/core/fields';
import { importeEscrito } from '~/core/escrito';
import type { Money } from '~/core/money';
import { addDays } from '~/core/time';
import { PERSONAS, type Persona } from '~db/columns';

/** Names of how a platform sees the seller's taxes. */
export const ETIQUETA_PERSONA: Readonly<Record<Persona, string>> = {
  moral: 'Persona moral (empresa)',
  fisica: 'Persona física',
  sinRfc: 'Sin RFC registrado en los mercados',
};

/** Rates that platforms withhold of a price without IVA from a day on, as fractions. `hasta` is the last day of the law they stand in; null without an end. */
export type Tasa = { desde: string; hasta: string | null; iva: Money; isr: Money };

/** What the law withholds of this shop, the newest rates first. */
export type Tasas = { persona: Persona; filas: readonly Tasa[] };

/** Returns the rates of a civil day; null where the law that told them was over by then, or told none yet. */
export function tasaOf({ filas }: Pick<Tasas, 'filas'>, dia: string): Tasa | null {
  const tasa = filas.find(({ desde }) => desde <= dia);
  return tasa && (tasa.hasta === null || dia <= tasa.hasta) ? tasa : null;
}

/** Days before the end of a law from which it is told. */
const AVISO_DIAS = 31;

/** Returns the last day of the newest rates, once it is near or over; null while they hold for longer. */
export function finOfTasas(
  filas: readonly Pick<Tasa, 'hasta'>[],
  hoy: string,
): { fin: string; pasado: boolean } | null {
  const fin = filas[0]?.hasta ?? null;
  return fin !== null && fin <= addDays(hoy, AVISO_DIAS) ? { fin, pasado: fin < hoy } : null;
}

export const PersonaForm = z.object({ huella: Huella, persona: z.enum(PERSONAS, { error: REQUERIDO }) });

const Porcentaje = importeEscrito(REQUERIDO, 'Escribe un porcentaje de 0 a 100.', { min: '0', max: '100' });

/** Rates of the law from a day on, in percent, with the mark of what the screen showed. */
export const TasaForm = z
  .object({ huella: Huella, desde: Dia(), hasta: opcional(Dia()), iva: Porcentaje, isr: Porcentaje })
  .refine(({ desde, hasta }) => hasta === null || desde <= hasta, {
    path: ['hasta'],
    message: 'El último día va después del primero.',
  });
