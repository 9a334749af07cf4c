const MILES = new Intl.NumberFormat('es-MX');

/** How many, as people read it: 1,240. */
export function cuenta(n: number): string {
  return MILES.format(n);
}
