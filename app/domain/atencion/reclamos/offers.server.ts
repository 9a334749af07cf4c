import type { Offer } from '~/platform/offer';
import { mensajesDeReclamo, resoluciones } from './actuarEnReclamo.server';
import { buscarReclamos } from './internal/buscarReclamos.server';
import { reclamosPorAtender } from './internal/colaReclamos.server';
import { reclamosList } from './listReclamos.server';
import { mailReclamoEffect } from './mailReclamo.server';
import { mailPlazo } from './tellPlazos.server';

/** The rows of reclamos in the catalogs of the product. */
export const reclamosOffer: Offer = {
  effects: [...mensajesDeReclamo.all(), ...resoluciones.all(), mailReclamoEffect, mailPlazo],
  colas: [reclamosPorAtender],
  buscadores: [buscarReclamos],
  lists: [reclamosList],
};
