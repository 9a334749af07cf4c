import { sql } from 'kysely';
import type { Money } from '~/core/money';
import { civilDay } from '~/core/time';
import type { Db } from '~db/client.server';

/** Returns the rate of ISR by the law of a day; null where the law that told it is over and no other was written. */
export type ReadIsr = (fecha: Date) => Promise<Money | null>;

/** Opens the rates of ISR for one run: a day is asked for once. */
export function openIsr(db: Db): ReadIsr {
  const known = new Map<string, Promise<Money | null>>();
  const read = async (fecha: Date) => {
    const { rows } = await sql<{ isr: Money; vigente: boolean }>`
      select isr, hasta is null or ${civilDay(fecha)}::date <= hasta as vigente from tasa_de_ley(${fecha})`.execute(db);
    return rows[0]?.vigente ? rows[0].isr : null;
  };
  return (fecha) => {
    const dia = civilDay(fecha);
    const asked = known.get(dia) ?? read(fecha);
    known.set(dia, asked);
    return asked;
  };
}
