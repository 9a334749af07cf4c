import { useState } from 'react';
import { Icono } from './Icono';

/** A button that copies an identifier whole. Browsers without a clipboard leave the text to be marked. */
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
