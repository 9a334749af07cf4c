import type { Buscador } from '~/platform/search/buscador';
import { inOrder } from './internal/inOrder';
import { OFFERS } from './offers.server';

/** The order in which kinds are shown, by the key of each. */
const ORDER = [
  'ordenes',
  'facturas',
  'clientes',
  'pedidos',
  'facturasProveedores',
  'pagos',
  'productos',
  'stock',
  'publicaciones',
  'notas',
  'preguntasPorResponder',
  'preguntas',
  'reclamos',
];

/** Every kind of thing that can be found from anywhere, in the order in which it is shown. */
export const BUSCADORES: readonly Buscador[] = inOrder(
  OFFERS.flatMap(({ buscadores = [] }) => buscadores),
  ({ clase }) => clase,
  ORDER,
);
