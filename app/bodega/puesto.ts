/** Where the page is, and who works on it: known once it has begun. */
export const puesto: {
  base: string;
  lector: string;
  usuario: string | undefined;
  /** The sale that somebody picks pieces for. */
  surtiendo: string | undefined;
  /** The piece that the next label is for. */
  ligando: string | undefined;
} = { base: '', lector: '', usuario: undefined, surtiendo: undefined, ligando: undefined };
