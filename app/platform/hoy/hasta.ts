import { addDays, civilDateTime, civilDay, clockAsUtc, instantOf } from '~/core/time';

/**
 * Times until which a thing may be put aside, in the words that people choose from. None is longer: a thing that nobody wants to see for weeks is not
 * done.
 */
export const HASTA = {
  unaHora: 'Una hora',
  estaTarde: 'Hoy a las 16:00',
  manana: 'Mañana a las 9:00',
  lunes: 'El lunes a las 9:00',
  unaSemana: 'Una semana',
} as const;
export type Hasta = keyof typeof HASTA;

/** Returns the instant of such a time. An hour of today that has passed is the same hour tomorrow. */
export function instantOfHasta(hasta: Hasta, ahora: Date): Date {
  const hoy = civilDay(ahora);
  const at = (day: string, hour: string) => instantOf(`${day}T${hour}:00`);
  switch (hasta) {
    case 'unaHora':
      return new Date(ahora.getTime() + 3_600_000);
    case 'estaTarde': {
      const tarde = at(hoy, '16:00');
      return tarde > ahora ? tarde : at(addDays(hoy, 1), '16:00');
    }
    case 'manana':
      return at(addDays(hoy, 1), '09:00');
    case 'lunes': {
      const weekday = clockAsUtc(hoy).getUTCDay();
      return at(addDays(hoy, (8 - weekday) % 7 || 7), '09:00');
    }
    case 'unaSemana':
      return at(addDays(hoy, 7), civilDateTime(ahora).slice(11, 16));
  }
}
