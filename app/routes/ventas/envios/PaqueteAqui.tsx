import { useRef } from 'react';
import type { AquiProps } from '~/routes/inicio/hoy/aqui';
import { Huesos, NoSeLeyo } from '~/routes/inicio/hoy/Huesos';
import { useAqui } from '~/routes/inicio/hoy/useAqui';
import type { OrdenAbierta } from '~/routes/ventas/ordenes/record';
import { ImprimirGuia } from './ImprimirGuia';

/** A parcel to send whose label is here, printed where it is told. It waits until it leaves, so the next one stands open once its label was asked for. */
export function PaqueteAqui(props: AquiProps) {
  const { cosa, area, alPasar } = props;
  const caja = useRef<HTMLDivElement>(null);
  const { ficha, fallo, reintentar } = useAqui<OrdenAbierta>(props, {
    ficha: `ordenesActivas/${cosa.id}`,
    pantalla: 'ordenesActivas',
    formId: `imprimir-${cosa.id}`,
    escrito: false,
    espera: ({ puede, porImprimir }) => (puede.operar && porImprimir ? 'aqui' : 'fuera'),
    caja,
  });
  if (!ficha) return fallo ? <NoSeLeyo reintentar={reintentar} /> : <Huesos />;
  const { porImprimir, articulos } = ficha;
  const piezas = articulos.reduce((suma, { cantidad }) => suma + cantidad, 0);
  return (
    <div ref={caja} className="paquete-aqui">
      <p className="nota">
        {piezas} {piezas === 1 ? 'pieza' : 'piezas'}
        {porImprimir && ` · guía ${porImprimir.numero}`}
      </p>
      {porImprimir && (
        <p className="botones">
          {/* The browser follows the link first. */}
          <ImprimirGuia guia={porImprimir} area={area} impresa={() => setTimeout(alPasar)} />
        </p>
      )}
    </div>
  );
}
