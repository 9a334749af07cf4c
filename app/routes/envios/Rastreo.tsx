import { useState } from 'react';
import { rastreoUrl } from '~/domain/envios/envio';
import './envios.css';

type Props = { envio: Parameters<typeof rastreoUrl>[0]; children?: string | null };

/** The carrier's page of a package under its number, or under the words given; where no page is known, the number to take along. */
export function Rastreo({ envio, children = envio.guia }: Props) {
  const url = rastreoUrl(envio);
  if (children === null) return <>—</>;
  if (url) return <a href={url} target="_blank" rel="noopener noreferrer">{children}</a>;
  return children === envio.guia ? <Numero guia={children} /> : <>{children}</>;
}

function Numero({ guia }: { guia: string }) {
  const [copiado, setCopiado] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(guia);
    setCopiado(true);
  };
  return (
    <span className="copiable">
      <span>{guia}</span>
      <button type="button" className="copiar solo-js" aria-label={`Copiar la guía ${guia}`} title="Copiar" onClick={() => void copy()}>{copiado ? '✓' : '⧉'}</button>
      <span role="status" className="oculto">{copiado ? 'La guía se copió.' : ''}</span>
    </span>
  );
}
