import { reclamosPorAtender } from '~/domain/atencion/reclamos/colaReclamos.server';
import { preguntasSinResponder } from '~/domain/atencion/preguntas/colaPreguntas.server';
import { depositosConDiferencia } from '~/domain/cierre/conciliacion/colaConciliacion.server';
import { enMarcha } from '~/domain/operacion/exports/colaEnMarcha.server';
import type { Cola } from '~/platform/hoy/cola';
import { timbresPorAtender } from '~/domain/operacion/mantenimiento/colaTimbres.server';
import { atoradas, porEnviar } from '~/domain/ventas/ordenes/porEnviar.server';
import { cambiosRetenidos } from '~/domain/publicaciones/publicaciones/colaRetenidas.server';
import { sobreventas } from '~/domain/publicaciones/publicaciones/colaSobreventas.server';
import { fuentesEnSilencio, ventasSinLeer } from '~/domain/sync/colaSinLeer.server';
import { inOrder } from './internal/inOrder';
import { OFFERS } from './offers.server';

/** The order of the cards on 'Hoy', by the key of each queue: hands remember places, so a new kind goes where it belongs and the others stay. */
const ORDER = [
  'porEnviar',
  'preguntas',
  'reclamos',
  'canceladasConPedido',
  'atoradas',
  'sobreventas',
  'porConfirmar',
  'pedidosSinFolio',
  'pedidosSinPago',
  'devolucionesPorRecibir',
  'timbresPorAtender',
  'ventasSinLeer',
  'cambiosRetenidos',
  'enlacesSinRespuesta',
  'cierreDeMes',
  'depositosConDiferencia',
  'fuentesEnSilencio',
  'catalogosEnSilencio',
  'enMarcha',
];

/** Every queue of work that waits for people, in the order of the cards. */
export const COLAS: readonly Cola[] = inOrder(
  [
    ...OFFERS.flatMap(({ colas = [] }) => colas),
    porEnviar,
    preguntasSinResponder,
    reclamosPorAtender,
    atoradas,
    sobreventas,
    timbresPorAtender,
    ventasSinLeer,
    cambiosRetenidos,
    depositosConDiferencia,
    fuentesEnSilencio,
    enMarcha,
  ],
  ({ clave }) => clave,
  ORDER,
);
