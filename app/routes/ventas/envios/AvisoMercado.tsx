import type { Market } from '~/core/market';
import { MERCADOS } from '~/domain/mercados/mercados';
import './envios.css';

/** A note that the marketplace is told the tracking number too, for shipments whose tracking the seller gives. */
export function AvisoMercado({ market, modo }: { market: Market | undefined; modo: string | null }) {
  if (market === undefined) return null;
  const { label, avisoDeEnvio } = MERCADOS[market];
  if (avisoDeEnvio.cuando === 'salida')
    return (
      <p className="nota bajo-campos">
        {label} recibe la paquetería y la guía al pasar a En Camino, En Sucursal o Entregado, y se las dice al
        comprador. Si las corriges, también.
      </p>
    );
  if (!avisoDeEnvio.modos?.some((one) => one === modo)) return null;
  return (
    <p className="nota bajo-campos">
      {label} recibe la guía y el avance al pasar a En Camino, En Sucursal o Entregado. Una devolución no se le avisa:
      reembolsaría al comprador.
    </p>
  );
}
