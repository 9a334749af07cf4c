import { MARKET_LABEL } from '~/core/market';
import { SELLER_CENTRAL } from '~/core/sellerCentral';
import type { Rasgos } from '../rasgos';

const label = MARKET_LABEL.amz;

/** Amazon for people and rules that do not ask it. */
export const rasgosAmz: Rasgos = {
  label,
  siglas: 'AMZ',
  ventaUrl: (numOrden) => `${SELLER_CENTRAL}/orders-v3/order/${numOrden}`,
  mensajes: false,
  sinGuia: () => ({
    espera: false,
    porque: `La guía de ${label} se compra en la venta, o se manda por nuestra paquetería.`,
  }),
  vendeGuias: true,
  avisoDeEnvio: { cuando: 'salida', modos: null },
  cotizaEnvio: false,
  estatusDelEnvio: false,
  publicador: null,
  publicaciones: {
    casilla: label,
    estatus: {
      enCreacion: { label: 'Creando publicacion', tono: 'neutro' },
      errorXML: { label: 'Error en el XML', tono: 'mal' },
      errorCreatedFeed: { label: 'Error en el market amazon', tono: 'mal' },
      DONE: { label: 'Activa', tono: 'ok' },
      CANCELLED: { label: 'Cerrada', tono: 'mal' },
      FATAL: { label: 'Error fatal en Amazon', tono: 'mal' },
      inactiva: { label: 'Inactiva', tono: 'aviso' },
    },
    editables: ['DONE', 'inactiva'],
    creandose: 'enCreacion',
    porPiezas: { sin: 'inactiva', con: 'DONE' },
    tituloPropio: false,
    tipos: {},
    publicables: ['unica'],
    editarUrl: ({ clave, marketId }) =>
      `https://sellercentral.amazon.com.mx/inventory?${
        marketId
          ? new URLSearchParams({ searchField: 'ASIN', searchValue: marketId })
          : new URLSearchParams({ search: clave })
      }`,
  },
};
