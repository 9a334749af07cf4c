import { addDays, civilDay } from '~/core/time';

/**
 * The fields of the last seven days, as a list is asked for them. Without them a list shows the month, which on its first night holds nothing of an
 * hour ago.
 */
export function lastDays(): { desde: string; hasta: string } {
  const hoy = civilDay(new Date());
  return { desde: addDays(hoy, -7), hasta: hoy };
}

/** The same fields as text of an address. */
export const inLastDays = (): string => String(new URLSearchParams(lastDays()));
