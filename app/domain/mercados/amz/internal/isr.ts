import type { Money } from '~/core/money';
import { civilDay } from '~/core/time';
import { tasaOf, type Tasas } from '../../retenciones/tasas';

/** Returns the ISR of one sale, by the law of the day of the sale: Amazon charges ISR by the month and not by the sale. Null where no law tells that day's. */
export function isrOf(neto: Money, fecha: Date, tasas: Pick<Tasas, 'filas'>): Money | null {
  const tasa = tasaOf(tasas, civilDay(fecha));
  return tasa && neto.by(tasa.isr).cents();
}
