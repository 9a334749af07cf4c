import { readJson, readShape } from './answer';
import { createLlamada, encoded, type LlamadaOptions } from './call.server';
import { openEtiqueta, type Etiqueta } from './etiqueta.server';
import { createGuiasAmz, detalleOf, estadoOf, type EnvioPorComprar, piezasPorEnviar } from './guias.server';
import { Shipment } from './wireGuias';

/** Buys labels and gives them back, with the looks that both need. */
export function createGuiasWriter(options: LlamadaOptions) {
  const call = createLlamada(options);
  return {
    ...createGuiasAmz(options),
    piezasPorEnviar,
    estadoDe: estadoOf,
    etiqueta: (envio: Pick<Shipment, 'Label'>): Etiqueta => openEtiqueta(envio),

    async compra(
      envio: EnvioPorComprar,
      { servicio, oferta }: { servicio: string; oferta: string | null },
    ): Promise<Shipment> {
      const what = 'compra de la guía';
      const answer = await call(
        {
          operacion: 'createShipment',
          method: 'POST',
          path: '/mfn/v0/shipments',
          body: {
            ShipmentRequestDetails: detalleOf(envio),
            ShippingServiceId: servicio,
            ...(oferta && { ShippingServiceOfferId: oferta }),
          },
          restringida: true,
        },
        what,
      );
      return readShape(Shipment, readJson(answer, what), what).payload;
    },

    async cancela(id: string): Promise<Shipment> {
      const what = 'cancelación de la guía';
      const answer = await call(
        { operacion: 'cancelShipment', method: 'DELETE', path: `/mfn/v0/shipments/${encoded(id)}`, restringida: true },
        what,
      );
      return readShape(Shipment, readJson(answer, what), what).payload;
    },
  };
}

export type { Shipment } from './wireGuias';
export type { ServicioAmz } from './guias.server';
