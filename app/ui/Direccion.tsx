/** An address as people read it, and where a thumb may press it, one press from the map of the telephone. */
export function Direccion({ valor }: { valor: string | null | undefined }) {
  if (!valor) return '—';
  return (
    <>
      {valor}{' '}
      <a className="en-mapa" href={`geo:0,0?q=${encodeURIComponent(valor)}`}>
        Abrir en el mapa
      </a>
    </>
  );
}
