import { civilDateTime, instantOf } from '~/core/time';

const ZONA = 'America/Mexico_City';
const [CIERRA, ABRE] = ['09:00:00', '19:00:00'];

/**
 * Returns the milliseconds until CVA lets its texts be searched and its whole list be read; 0 when it does now. Single products may be asked for at
 * any hour.
 */
export function opensAt(now: Date): number {
  const [dia, hora] = civilDateTime(now, ZONA).split('T') as [string, string];
  return hora < CIERRA || hora >= ABRE ? 0 : instantOf(`${dia}T${ABRE}`, ZONA).getTime() - now.getTime();
}
