type Props = { id: string; area: string; impresa?: () => void };

/** The link to the label of a parcel, which the browser shows to be printed. */
export const ImprimirGuia = ({ id, area, impresa }: Props) => (
  <a className="boton" href={`${area}/descargas/guia/${id}`} target="_blank" rel="noopener" onClick={impresa}>
    Imprimir guía
  </a>
);
