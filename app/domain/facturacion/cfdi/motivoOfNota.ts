/** Which of the two lists asked for a note, as people read it. */
export function motivoOfNota(motivo: string | null): string {
  return motivo === 'refacturacion' ? 'Refacturación' : motivo === 'devuelta' ? 'Devolución' : '';
}
