type Props = { guia: { id: string; zpl: boolean }; area: string; principal?: boolean; impresa?: () => void };

/** The link to the label of a parcel, which the browser shows to be printed. ZPL is a file for the printer, which the browser saves. */
export const ImprimirGuia = ({ guia: { id, zpl }, area, principal, impresa }: Props) => (
  <a
    className="boton"
    data-tono={principal ? 'acento' : undefined}
    href={`${area}/descargas/guia/${id}${zpl ? '?formato=zpl' : ''}`}
    target="_blank"
    rel="noopener"
    onClick={impresa}
  >
    {zpl ? 'Descargar guía en ZPL' : 'Imprimir guía'}
  </a>
);
