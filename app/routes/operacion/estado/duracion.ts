import { writeCount } from '~/core/count';

/** Writes a length of time in its largest unit: '45 s', '12 min', '3 h', '2 días'. */
export function duracion(segundos: number): string {
  if (segundos < 60) return `${Math.round(segundos)} s`;
  if (segundos < 3_600) return `${Math.round(segundos / 60)} min`;
  if (segundos < 172_800) return `${Math.round(segundos / 3_600)} h`;
  return `${writeCount(Math.round(segundos / 86_400))} días`;
}
