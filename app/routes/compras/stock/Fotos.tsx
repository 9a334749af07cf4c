import './fotos.css';

/** The photographs of a piece; each opens at full size. */
export function Fotos({ fotos, folio, area }: { fotos: readonly string[]; folio: string; area: string }) {
  return (
    <div className="pieza-fotos">
      {fotos.map((foto, at) => (
        <a key={foto} href={`${area}/bodega/foto/${foto}`} target="_blank" rel="noopener noreferrer">
          <img src={`${area}/bodega/foto/${foto}`} alt={`Fotografía ${at + 1} de ${folio}`} loading="lazy" />
        </a>
      ))}
    </div>
  );
}
