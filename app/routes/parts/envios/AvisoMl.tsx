import { MODOS_AVISADOS } from '~/domain/envios/envio';
import './envios.css';

/** What Mercado Libre is told of the form it stands on, for shipments whose tracking it takes from the seller. */
export function AvisoMl({ modo }: { modo: string | null }) {
  if (!MODOS_AVISADOS.some((one) => one === modo)) return null;
  return (
    <p className="nota bajo-campos">
      Mercado Libre recibe la guía y el avance al pasar a En Camino, En Sucursal o Entregado. Una devolución no se le
      avisa: reembolsaría al comprador.
    </p>
  );
}
