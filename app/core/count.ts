const GROUPED = new Intl.NumberFormat('es-MX');

/** Returns a count as people read counts: '1,240'. */
export function writeCount(n: number): string {
  return GROUPED.format(n);
}
