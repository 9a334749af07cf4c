import { Money } from '~/core/money';
import { civilDay } from '~/core/time';

/** How a platform sees the seller's taxes: a company, a person, or a seller without RFC there. */
export const PERSONAS = ['moral', 'fisica', 'sinRfc'] as const;
export type Persona = (typeof PERSONAS)[number];

/** Rates of the ISR that platforms withhold of the income without IVA, from each day on (LISR 113-A and its reforms). The newest first. */
const TASAS: readonly { desde: string; tasa: Readonly<Record<Persona, string>> }[] = [
  { desde: '2026-01-01', tasa: { moral: '0.025', fisica: '0.025', sinRfc: '0.20' } },
  { desde: '2021-01-01', tasa: { moral: '0', fisica: '0.01', sinRfc: '0.20' } },
];

/** Returns the ISR of one sale, as the law has it on the day of the sale: Amazon charges ISR by the month and not by the sale. */
export function isrOf(neto: Money, fecha: Date, persona: Persona): Money {
  const dia = civilDay(fecha);
  const tasa = TASAS.find(({ desde }) => dia >= desde)?.tasa[persona] ?? '0';
  return neto.by(Money.of(tasa)).cents();
}
