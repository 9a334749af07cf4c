const MILES = new Intl.NumberFormat('es-MX');

/** Returns a count as people read counts: '1,240'. */
export function cuenta(n: number): string {
  return MILES.format(n);
}
