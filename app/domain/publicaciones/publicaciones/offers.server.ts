import type { Offer } from '~/platform/offer';
import { cambios, archivos } from './internal/cambios.server';
import { buscarPublicaciones } from './internal/buscarPublicaciones.server';
import { promocionesBajoElPiso } from './internal/colaPromociones.server';
import { cambiosRetenidos } from './internal/colaRetenidas.server';
import { exclusiones } from './internal/exclusiones.server';
import { sobreventas } from './internal/colaSobreventas.server';
import {
  activarPublicaciones,
  cambiarPrecios,
  pausarPublicaciones,
  ponerPrecioDeRegla,
  volverAlPrecio,
} from './internal/lotesDePublicaciones.server';
import { aplicarRetenidas, descartarRetenidas } from './internal/lotesDeRetenidas.server';
import { publicacionesList } from './listPublicaciones.server';

/** The rows of publicaciones in the catalogs of the product. */
export const publicacionesOffer: Offer = {
  effects: [...cambios.all(), ...archivos.all(), ...exclusiones.all()],
  colas: [cambiosRetenidos, promocionesBajoElPiso, sobreventas],
  buscadores: [buscarPublicaciones],
  lists: [publicacionesList],
  acciones: [
    aplicarRetenidas,
    descartarRetenidas,
    pausarPublicaciones,
    activarPublicaciones,
    ponerPrecioDeRegla,
    cambiarPrecios,
    volverAlPrecio,
  ],
};
