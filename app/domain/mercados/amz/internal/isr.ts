import { Money } from '~/core/money';
import { civilDay } from '~/core/time';

/** How the seller pays taxes, as far as a platform withholds: a company, a person, or nobody it has the RFC of. */
export const PERSONAS = ['moral', 'fisica', 'sinRfc'] as const;
export type Persona = (typeof PERSONAS)[number];

/** ISR that platforms withhold of the income without IVA, from each day on (LISR 113-A and what reforms it). The newest first. */
const TASAS: readonly { desde: string; tasa: Readonly<Record<Persona, string>> }[] = [
  { desde: '2026-01-01', tasa: { moral: '0.025', fisica: '0.025', sinRfc: '0.20' } },
  { desde: '2021-01-01', tasa: { moral: '0', fisica: '0.01', sinRfc: '0.20' } },
];

/** Amazon charges it by the month and not by the sale: of one sale it is what the law says of its day. */
export function isrOf(neto: Money, fecha: Date, persona: Persona): Money {
  const dia = civilDay(fecha);
  const tasa = TASAS.find(({ desde }) => dia >= desde)?.tasa[persona] ?? '0';
  return neto.by(Money.of(tasa)).cents();
}
