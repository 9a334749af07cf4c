import { effectCatalog } from '~/platform/effects/definition';
import { cancelarGuiaAmz } from '~/domain/ventas/envios/cancelGuia.server';
import { comprarGuiaAmz } from '~/domain/ventas/envios/buyGuia.server';
import { confirmarEnvio } from '~/domain/ventas/envios/confirmarEnvio.server';
import { escribirEnReclamo, resolverReclamo } from '~/domain/atencion/reclamos/actuarEnReclamo.server';
import { mailPlazo } from '~/domain/atencion/reclamos/tellPlazos.server';
import { mailReclamoEffect } from '~/domain/atencion/reclamos/mailReclamo.server';
import { bloquearComprador } from '~/domain/atencion/preguntas/comprador.server';
import { responderPregunta } from '~/domain/atencion/preguntas/responderPregunta.server';
import { reportEnvio } from '~/domain/ventas/envios/reportEnvio.server';
import { traerGuia } from '~/domain/ventas/envios/traerGuia.server';
import { cancelCfdi } from '~/domain/facturacion/cancelacion/internal/cancelCfdi.server';
import { cancelRepetida } from '~/domain/facturacion/cancelacion/cancelRepetida.server';
import { sondearCuenta } from '~/domain/facturacion/cfdi/internal/sondeo.server';
import { mailEnlace } from '~/domain/facturacion/enlaces/internal/mailEnlace.server';
import { mailFactura } from '~/domain/facturacion/cfdi/factura.server';
import { mailNota } from '~/domain/facturacion/notaSencilla/createNota.server';
import { messageEnlace } from '~/domain/facturacion/enlaces/messageEnlace.server';
import { savePacClient } from '~/domain/facturacion/receptores/internal/savePacClient.server';
import { savePublicClient } from '~/domain/facturacion/receptores/receptor.server';
import { stampFactura } from '~/domain/facturacion/emision/internal/stampFactura.server';
import { stampGlobal } from '~/domain/facturacion/mes/internal/stampGlobal.server';
import { stampNotaCredito } from '~/domain/facturacion/notasCredito/internal/stampNotaCredito.server';
import { vincularEb } from '~/domain/mercados/amz/linkEventBridge.server';
import { mensajeCfdi } from '~/domain/facturacion/emision/mensajeCfdi.server';
import { uploadCfdiMl } from '~/domain/facturacion/emision/uploadCfdiMl.server';
import { mailCondicion } from '~/domain/operacion/mantenimiento/mailCondicion.server';
import { OFFERS } from './offers.server';
import { cambiarCategoriaMl } from '~/domain/publicaciones/publicador/changeCategoria.server';
import { publicarAmz } from '~/domain/publicaciones/publicador/publicarAmz.server';
import { publicarMl } from '~/domain/publicaciones/publicador/publicarMl.server';
import { cambiarAmz } from '~/domain/publicaciones/publicaciones/cambiarAmz.server';
import { cambiarArchivoAmz } from '~/domain/publicaciones/publicaciones/cambiarArchivoAmz.server';
import { cambiarMl } from '~/domain/publicaciones/publicaciones/cambiarMl.server';

/** Every kind of call that changes the outside world. */
export const EFFECTS = effectCatalog([
  ...OFFERS.flatMap(({ effects = [] }) => effects),
  stampFactura,
  stampGlobal,
  stampNotaCredito,
  cancelCfdi,
  cancelRepetida,
  sondearCuenta,
  savePacClient,
  savePublicClient,
  mailFactura,
  mailNota,
  mailEnlace,
  messageEnlace,
  uploadCfdiMl,
  mensajeCfdi,
  vincularEb,
  cambiarMl,
  cambiarAmz,
  cambiarArchivoAmz,
  mailCondicion,
  reportEnvio,
  confirmarEnvio,
  comprarGuiaAmz,
  cancelarGuiaAmz,
  traerGuia,
  publicarMl,
  publicarAmz,
  responderPregunta,
  bloquearComprador,
  cambiarCategoriaMl,
  escribirEnReclamo,
  resolverReclamo,
  mailReclamoEffect,
  mailPlazo,
]);
