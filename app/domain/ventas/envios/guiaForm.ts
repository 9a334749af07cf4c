import { z } from 'zod';
import { enteroEscrito, importeEscrito } from '~/core/escrito';
import { Huella, Id, Importe, REQUERIDO, Texto } from '~/core/fields';

/** What people say of a label of a marketplace: each form with the sale it is about and the state of the shipment it was opened with. */
const origen = { orden: Id, huella: Huella };

const centimetros = enteroEscrito(REQUERIDO, 'De 1 a 300 cm, sin decimales', { min: '1', max: '300' });

/** Weight in kilograms, sides in centimetres. */
const paquete = {
  peso: importeEscrito(REQUERIDO, 'De 0.01 a 70 kg', { min: '0.01', max: '70' }),
  largo: centimetros,
  ancho: centimetros,
  alto: centimetros,
};

export const CotizarGuiaForm = z.object({ ...origen, ...paquete });
/** With the service that was chosen, and the price at which it was shown. */
export const ComprarGuiaForm = z.object({
  ...origen,
  ...paquete,
  servicio: Texto(200),
  nombre: Texto(200),
  paqueteria: Texto(120),
  precio: Importe,
  /** When it is promised to arrive, in the words that were shown. */
  entrega: Texto(80).optional(),
});
/** About the label that stands. */
export const UnaGuiaForm = z.object(origen);

export type CotizarGuia = z.output<typeof CotizarGuiaForm>;
export type ComprarGuia = z.output<typeof ComprarGuiaForm>;
