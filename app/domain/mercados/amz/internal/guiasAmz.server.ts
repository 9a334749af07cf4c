import { estadoOf, type GuiasAmz, piezasPorEnviar, type ServicioAmz } from '~/integrations/amazon/guias.server';
import { Refused } from '~/integrations/errors';
import type { Cotizacion, ServicioDeGuia, VendedorDeGuias } from '~/domain/mercados/guias';

const SIN_PERMISO: Cotizacion = {
  servicios: [],
  rechazados: [],
  sinTerminos: [],
  suspendidas: [],
  sinPermiso: true,
  ilegibles: 0,
};

/** Opens Merchant Fulfillment, which sells labels. Nobody has told which carriers it has in México: an offer without any is an answer. */
export function createGuiasOfAmazon(amazon: GuiasAmz): VendedorDeGuias {
  return {
    async cotizar({ venta, otraVez, remitente, paquete }) {
      const por = piezasPorEnviar(await amazon.venta(venta), { otraVez });
      if ('porque' in por) return por.porque;
      try {
        const { servicios, ...resto } = await amazon.servicios({ venta, piezas: por.piezas, remitente, paquete });
        return { ...resto, sinPermiso: false, servicios: servicios.map(servicioOf) };
      } catch (error) {
        if (error instanceof Refused && error.details.status === 403) return SIN_PERMISO;
        throw error;
      }
    },
    estado: async (marketId) => estadoOf(await amazon.envio(marketId)),
  };
}

function servicioOf({ id, nombre, paqueteria, precio, moneda, desde, hasta, pideMas }: ServicioAmz): ServicioDeGuia {
  const impide =
    moneda !== 'MXN'
      ? `Cobra en ${moneda ?? 'otra moneda'}.`
      : pideMas
        ? 'Pide datos que solo se capturan en Seller Central.'
        : null;
  return { id, nombre, paqueteria, precio, desde, hasta, impide };
}
