import type { Columna } from '~/platform/hoy/acomodo';
import type { Cola } from '~/platform/hoy/cola';
import { enMarcha } from './exports/colaEnMarcha.server';
import { inOrder } from './internal/inOrder';
import { timbresPorAtender } from './mantenimiento/colaTimbres.server';
import { OFFERS } from './offers.server';

/**
 * The two columns of 'Hoy', by the key of each queue. Hands remember places: a card never leaves its column, and a new kind goes where it belongs in one of
 * them. A telephone shows the first of each, then the second of each.
 */
const COLUMNAS: readonly [readonly string[], readonly string[]] = [
  [
    'porEnviar',
    'reclamos',
    'atoradas',
    'promocionesBajoElPiso',
    'porConfirmar',
    'pedidosSinPago',
    'documentosDeProveedores',
    'timbresPorAtender',
    'cambiosRetenidos',
    'enlacesSinRespuesta',
    'depositosConDiferencia',
    'faltaSaber',
    'catalogosEnSilencio',
    'enMarcha',
  ],
  [
    'preguntas',
    'canceladasConPedido',
    'sobreventas',
    'faltantesAlEmpacar',
    'pedidosSinFolio',
    'facturasPorVencer',
    'devolucionesPorRecibir',
    'ventasSinLeer',
    'listasParaFacturar',
    'cierreDeMes',
    'balancePorRevisar',
    'pagadasSinEntregar',
    'liberacionesAtrasadas',
    'dineroSinIdentificar',
    'fuentesEnSilencio',
    'entradasAnteriores',
  ],
];

const ORDER = Array.from({ length: Math.max(...COLUMNAS.map(({ length }) => length)) }, (_, at) =>
  COLUMNAS.flatMap((columna) => columna.slice(at, at + 1)),
).flat();

/** Returns the column of a queue's card. */
export const columnaOf = (clave: string): Columna => (COLUMNAS[1].includes(clave) ? 2 : 1);

/** Every queue of work that waits for people, in the order of the cards. */
export const COLAS: readonly Cola[] = inOrder(
  [...OFFERS.flatMap(({ colas = [] }) => colas), timbresPorAtender, enMarcha],
  ({ clave }) => clave,
  ORDER,
);
