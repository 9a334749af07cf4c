import { useState } from 'react';
import { MERCADOS } from '~/domain/mercados/mercados';
import { rastreoUrl } from '~/domain/ventas/envios/envio';
import './envios.css';

type Props = { envio: Parameters<typeof rastreoUrl>[0]; children?: string | null };

const EN_LA_VENTA = 'En la página de su venta: las paqueterías del mercado no tienen una pública';
const isVenta = ({ market, numOrden }: Props['envio'], url: string) =>
  Boolean(market && numOrden) && url === MERCADOS[market!].ventaUrl(numOrden!);

/** The carrier's page of a package under its number, or under the words given; where no page is known, the number to take along. */
export function Rastreo({ envio, children = envio.guia }: Props) {
  const url = rastreoUrl(envio);
  if (children === null) return <>—</>;
  if (url)
    return (
      <a href={url} target="_blank" rel="noopener noreferrer" title={isVenta(envio, url) ? EN_LA_VENTA : undefined}>
        {children}
      </a>
    );
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
      <button
        type="button"
        className="copiar solo-js"
        aria-label={`Copiar la guía ${guia}`}
        title="Copiar"
        onClick={() => void copy()}
      >
        <svg
          viewBox="0 0 16 16"
          width="13"
          height="13"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
          strokeLinecap="round"
          aria-hidden="true"
        >
          {copiado ? <path d="M3 8.5 6.5 12 13 4.5" /> : <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />}
        </svg>
      </button>
      <span role="status" className="oculto">
        {copiado ? 'La guía se copió.' : ''}
      </span>
    </span>
  );
}
