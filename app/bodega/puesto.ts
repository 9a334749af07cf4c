/** State of the page, known once `begin` has run: its address, the reader of codes and the person. */
export const puesto: {
  base: string;
  lector: string;
  usuario: string | undefined;
  /** Number of the sale that the person picks pieces for. */
  surtiendo: string | undefined;
  /** Folio of the piece for the next label. */
  ligando: string | undefined;
  /** Number of the last opening: of answers that come late, only that of the last one is shown. */
  opening: number;
} = { base: '', lector: '', usuario: undefined, surtiendo: undefined, ligando: undefined, opening: 0 };
