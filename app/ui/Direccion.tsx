/** An address as people read it. Under a thumb a press opens it on the telephone's map. */
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
