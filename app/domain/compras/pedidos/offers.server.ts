import type { Offer } from '~/platform/offer';
import { buscarPedidos } from './buscarPedidos.server';
import { canceladasConPedido, pedidosSinFolio } from './colaPedidos.server';
import { porConfirmar } from './colaPorConfirmar.server';
import { confirmarEnCt } from './confirmarEnCt.server';
import { correoDeGuia, correoDePedido } from './correo.server';
import { CREAR } from './crearEffects.server';
import { guiaACt, guiaACva } from './guia.server';
import { ordenesCtList, porConfirmarList } from './listPedidos.server';
import { confirmarPedidos } from './lotesDePedidos.server';

/** The rows of pedidos in the catalogs of the product. */
export const pedidosOffer: Offer = {
  effects: [...Object.values(CREAR), confirmarEnCt, guiaACt, guiaACva, correoDePedido, correoDeGuia],
  colas: [canceladasConPedido, pedidosSinFolio, porConfirmar],
  buscadores: [buscarPedidos],
  lists: [porConfirmarList, ordenesCtList],
  acciones: [confirmarPedidos],
};
