import type { Offer } from '~/platform/offer';
import { avisosDeEnvio } from './internal/avisos.server';
import { compras } from './buyGuia.server';
import { cancelaciones } from './cancelGuia.server';
import { cotizarList } from './listCotizar.server';
import { enviosList, enviosPendientesList } from './listEnvios.server';
import { impresiones } from './traerGuia.server';

/** The rows of envios and of their guias in the catalogs of the product. */
export const enviosOffer: Offer = {
  effects: [...avisosDeEnvio.all(), ...compras.all(), ...cancelaciones.all(), ...impresiones.all()],
  lists: [cotizarList, enviosList, enviosPendientesList],
};
