import { reclamosPorAtender } from '~/domain/atencion/reclamos/colaReclamos.server';
import { preguntasSinResponder } from '~/domain/atencion/preguntas/colaPreguntas.server';
import { depositosConDiferencia } from '~/domain/cierre/conciliacion/colaConciliacion.server';
import { enlacesSinRespuesta } from '~/domain/facturacion/enlaces/colaEnlaces.server';
import { enMarcha } from '~/domain/operacion/exports/colaEnMarcha.server';
import type { Cola } from '~/platform/hoy/cola';
import { timbresPorAtender } from '~/domain/operacion/mantenimiento/colaTimbres.server';
import { cierreDeMes } from '~/domain/facturacion/mes/colaCierre.server';
import { atoradas, porEnviar } from '~/domain/ventas/ordenes/porEnviar.server';
import { canceladasConPedido, pedidosSinFolio } from '~/domain/compras/pedidos/colaPedidos.server';
import { catalogosEnSilencio } from '~/domain/compras/catalogo/colaCatalogos.server';
import { pedidosSinPago } from '~/domain/compras/pagos/colaPagos.server';
import { porConfirmar } from '~/domain/compras/pedidos/colaPorConfirmar.server';
import { devolucionesPorRecibir } from '~/domain/compras/stock/colaDevoluciones.server';
import { cambiosRetenidos } from '~/domain/publicaciones/publicaciones/colaRetenidas.server';
import { sobreventas } from '~/domain/publicaciones/publicaciones/colaSobreventas.server';
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
