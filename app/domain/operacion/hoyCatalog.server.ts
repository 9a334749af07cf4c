import type { Cola } from '~/platform/hoy/cola';
import { enMarcha } from './exports/colaEnMarcha.server';
import { inOrder } from './internal/inOrder';
import { timbresPorAtender } from './mantenimiento/colaTimbres.server';
import { OFFERS } from './offers.server';

/** The order of the cards on 'Hoy', by the key of each queue: hands remember places, so a new kind goes where it belongs and the others stay. */
const ORDER = [
  'porEnviar',
  'preguntas',
  'reclamos',
  'canceladasConPedido',
  'atoradas',
  'sobreventas',
  'promocionesBajoElPiso',
  'faltantesAlEmpacar',
  'porConfirmar',
  'pedidosSinFolio',
  'pedidosSinPago',
  'facturasPorVencer',
  'documentosDeProveedores',
  'devolucionesPorRecibir',
  'timbresPorAtender',
  'ventasSinLeer',
  'cambiosRetenidos',
  'listasParaFacturar',
  'enlacesSinRespuesta',
  'cierreDeMes',
  'depositosConDiferencia',
  'liberacionesAtrasadas',
  'faltaSaber',
  'fuentesEnSilencio',
  'catalogosEnSilencio',
  'entradasAnteriores',
  'enMarcha',
];

/** Every queue of work that waits for people, in the order of the cards. */
export const COLAS: readonly Cola[] = inOrder(
  [...OFFERS.flatMap(({ colas = [] }) => colas), timbresPorAtender, enMarcha],
  ({ clave }) => clave,
  ORDER,
);
