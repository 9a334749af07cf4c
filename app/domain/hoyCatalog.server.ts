import { reclamosPorAtender } from '~/domain/atencion/colaReclamos.server';
import { preguntasSinResponder } from '~/domain/atencion/colaPreguntas.server';
import { depositosConDiferencia } from '~/domain/conciliacion/colaConciliacion.server';
import { enlacesSinRespuesta } from '~/domain/enlaces/colaEnlaces.server';
import { enMarcha } from '~/domain/exports/colaEnMarcha.server';
import type { Cola } from '~/domain/hoy/cola';
import { timbresPorAtender } from '~/domain/mantenimiento/colaTimbres.server';
import { cierreDeMes } from '~/domain/mes/colaCierre.server';
import { atoradas, porEnviar } from '~/domain/ordenes/porEnviar.server';
import { canceladasConPedido, pedidosSinFolio } from '~/domain/pedidos/colaPedidos.server';
import { catalogosEnSilencio } from '~/domain/proveedores/colaCatalogos.server';
import { pedidosSinPago } from '~/domain/pagos/colaPagos.server';
import { porConfirmar } from '~/domain/pedidos/colaPorConfirmar.server';
import { devolucionesPorRecibir } from '~/domain/stock/colaDevoluciones.server';
import { cambiosRetenidos } from '~/domain/publicaciones/colaRetenidas.server';
import { sobreventas } from '~/domain/publicaciones/colaSobreventas.server';
import { fuentesEnSilencio, ventasSinLeer } from '~/domain/sync/colaSinLeer.server';

/** Everything that waits for people, in the order of the cards: hands remember places, so a new kind goes where it belongs and the others stay. */
export const COLAS: readonly Cola[] = [
  porEnviar,
  preguntasSinResponder,
  reclamosPorAtender,
  canceladasConPedido,
  atoradas,
  sobreventas,
  porConfirmar,
  pedidosSinFolio,
  pedidosSinPago,
  devolucionesPorRecibir,
  timbresPorAtender,
  ventasSinLeer,
  cambiosRetenidos,
  enlacesSinRespuesta,
  cierreDeMes,
  depositosConDiferencia,
  fuentesEnSilencio,
  catalogosEnSilencio,
  enMarcha,
];
