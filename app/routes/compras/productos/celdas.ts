import type { Celda } from '~/ui/lista/celda';

type Fila = {
  id: string;
  version: number;
  costoEnvio: string | null;
  productoMaximo: number | null;
  precioLista: string | null;
  autoOrden: boolean;
};

/** Returns the cost of shipping of a product as it is changed in its cell, with the form of the product's panel. The price and the pieces are the supplier's. */
export const celdaOfEnvio = ({ id, version, costoEnvio, productoMaximo, precioLista, autoOrden }: Fila): Celda => ({
  nombre: 'Costo del envio',
  campo: 'costoEnvio',
  tipo: 'importe',
  valor: costoEnvio ?? '',
  envia: {
    intent: 'guardar',
    id,
    version,
    productoMaximo: productoMaximo ?? '',
    precioLista: precioLista ?? '',
    autoOrden,
  },
  cero: () => ({
    titulo: 'Sin costo de envío',
    texto: '¿Esta seguro que el envío de este producto no cuesta nada?',
    hechos: 'Su precio y lo que queda de cada venta se calculan sin envío.',
  }),
});
