import { z } from 'zod';
import { enteroEscrito, importeEscrito } from '~/core/escrito';
import { Huella, Id, Importe, REQUERIDO, Texto } from '~/core/fields';

/** The common fields of every form about a label: the sale, and the state of the shipment with which the form was opened. */
const origen = { orden: Id, huella: Huella };

const centimetros = enteroEscrito(REQUERIDO, 'De 1 a 300 cm, sin decimales', { min: '1', max: '300' });

/** A request for quotes: weight in kilograms, sides in centimetres. */
const paquete = {
  peso: importeEscrito(REQUERIDO, 'De 0.01 a 70 kg', { min: '0.01', max: '70' }),
  largo: centimetros,
  ancho: centimetros,
  alto: centimetros,
};

export const CotizarGuiaForm = z.object({ ...origen, ...paquete });
/** A purchase: the measures, the chosen service, and the price that was shown. */
export const ComprarGuiaForm = z.object({
  ...origen,
  ...paquete,
  servicio: Texto(200),
  nombre: Texto(200),
  paqueteria: Texto(120),
  precio: Importe,
  /** The promised arrival, in the words that were shown. */
  entrega: Texto(80).optional(),
});
/** An act about the label that stands. */
export const UnaGuiaForm = z.object(origen);

export type CotizarGuia = z.output<typeof CotizarGuiaForm>;
export type ComprarGuia = z.output<typeof ComprarGuiaForm>;
