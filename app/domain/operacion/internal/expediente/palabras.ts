import { writeFecha } from '~/core/fecha';
import { enPesos } from '~/core/importe';
import type { Money } from '~/core/money';
import { civilDateTime } from '~/core/time';

/** Returns an instant as 'dd/mm/aaaa hh:mm' of the business' zone; '—' for none. */
export const fechaHora = (instante: Date | null): string =>
  instante === null ? '—' : writeFecha(civilDateTime(instante));

/** Returns a civil day as 'dd/mm/aaaa'; '—' for none. */
export const dia = (fecha: string | null): string => (fecha === null ? '—' : writeFecha(fecha));

/** Returns an amount as '$1,298.00', or '-$1,298.00'; '—' for an unknown one. */
export const pesos = (importe: Money | null): string => (importe === null ? '—' : enPesos(importe));

/** Returns a count with its noun: '1 venta', '3 ventas'. */
export const contados = (n: number, una: string, muchas: string): string => `${n} ${n === 1 ? una : muchas}`;
