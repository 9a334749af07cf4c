import { useState } from 'react';
import { Icono } from './Icono';

/** Takes an identifier along, whole. For browsers that can; the others mark the text. */
export function Copiar({ texto, que = '' }: { texto: string; que?: string }) {
  const [copiado, setCopiado] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(texto);
    setCopiado(true);
    setTimeout(() => setCopiado(false), 2_500);
  };
  return (
    <button
      type="button"
      className="copiar solo-js"
      aria-label={`Copiar ${que}${que && ' '}${texto}`}
      title="Copiar"
      onClick={() => void copy()}
    >
      <Icono nombre={copiado ? 'visto' : 'copiar'} />
      <span role="status" className="oculto">
        {copiado ? 'Copiado' : ''}
      </span>
    </button>
  );
}
