import { useState } from 'react';

/** An address to copy: the field is there for everybody, the button for browsers that can copy. */
export function Copiar({ texto, etiqueta = 'Enlace de facturación' }: { texto: string; etiqueta?: string }) {
  const [copiado, setCopiado] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(texto);
    setCopiado(true);
  };
  return (
    <div className="con-boton" style={{ marginTop: 8 }}>
      <input
        className="celda"
        readOnly
        value={texto}
        aria-label={etiqueta}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button
        type="button"
        className="boton solo-js"
        style={{ marginTop: 0, minHeight: 30 }}
        onClick={() => void copy()}
      >
        {copiado ? 'Copiado' : 'Copiar'}
      </button>
      <span role="status" className="oculto">
        {copiado ? 'El enlace se copió.' : ''}
      </span>
    </div>
  );
}
