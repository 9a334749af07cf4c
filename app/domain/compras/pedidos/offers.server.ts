import type { Offer } from '~/platform/offer';
import { buscarPedidos } from './internal/buscarPedidos.server';
import { canceladasConPedido, pedidosSinFolio, porConfirmar } from './internal/colas.server';
import { confirmarEnCt } from './internal/confirmarEnCt.server';
import { correoDeGuia, correoDePedido } from './internal/correo.server';
import { CREAR } from './internal/crearEffects.server';
import { guiaACt, guiaACva } from './internal/guia.server';
import { ordenesCtList, porConfirmarList } from './listPedidos.server';
import { confirmarPedidos } from './internal/batches.server';
import { pedirVentas } from './internal/pedirVentas.server';

/** The rows of pedidos in the catalogs of the product. */
export const pedidosOffer: Offer = {
  effects: [...Object.values(CREAR), confirmarEnCt, guiaACt, guiaACva, correoDePedido, correoDeGuia],
  colas: [canceladasConPedido, pedidosSinFolio, porConfirmar],
  buscadores: [buscarPedidos],
  lists: [porConfirmarList, ordenesCtList],
  acciones: [confirmarPedidos, pedirVentas],
};
