import { effectCatalog } from './effects/definition';
import { cancelarGuiaAmz } from './envios/cancelarGuia.server';
import { comprarGuiaAmz } from './envios/comprarGuia.server';
import { confirmarEnvio } from './envios/confirmarEnvio.server';
import { escribirEnReclamo, resolverReclamo } from './atencion/actuarEnReclamo.server';
import { mailPlazo } from './atencion/avisarPlazos.server';
import { mailReclamoEffect } from './atencion/mailReclamo.server';
import { bloquearComprador } from './atencion/comprador.server';
import { responderPregunta } from './atencion/responderPregunta.server';
import { reportEnvio } from './envios/reportEnvio.server';
import { traerGuia } from './envios/traerGuia.server';
import { cancelCfdi } from '~/domain/cancelacion/cancelCfdi.server';
import { cancelRepetida } from '~/domain/cancelacion/cancelRepetida.server';
import { sondearCuenta } from '~/domain/cfdi/sondeo.server';
import { mailEnlace } from '~/domain/enlaces/mailEnlace.server';
import { mailFactura } from '~/domain/cfdi/mailFactura.server';
import { mailNota } from '~/domain/notaSencilla/mailNota.server';
import { messageEnlace } from '~/domain/enlaces/messageEnlace.server';
import { savePacClient } from '~/domain/receptores/savePacClient.server';
import { savePublicClient } from '~/domain/receptores/savePublicClient.server';
import { stampFactura } from '~/domain/emision/stampFactura.server';
import { stampGlobal } from '~/domain/mes/stampGlobal.server';
import { stampNotaCredito } from '~/domain/notasCredito/stampNotaCredito.server';
import { vincularEb } from '~/domain/cuentas/eventBridge.server';
import { mensajeCfdi } from '~/domain/emision/mensajeCfdi.server';
import { uploadCfdiMl } from '~/domain/emision/uploadCfdiMl.server';
import { mailCondicion } from './mantenimiento/mailCondicion.server';
import { confirmarEnCt } from './pedidos/confirmar.server';
import { correoDeGuia, correoDePedido } from './pedidos/correo.server';
import { CREAR } from './pedidos/crear.server';
import { guiaACt, guiaACva } from './pedidos/guia.server';
import { cambiarCategoriaMl } from './publicador/cambiarCategoria.server';
import { publicarAmz } from './publicador/publicarAmz.server';
import { publicarMl } from './publicador/publicarMl.server';
import { cambiarAmz } from './publicaciones/cambiarAmz.server';
import { cambiarArchivoAmz } from './publicaciones/cambiarArchivoAmz.server';
import { cambiarMl } from './publicaciones/cambiarMl.server';
import { mailProveedor } from './proveedores/mailProveedor.server';

/** Every kind of call that changes the outside world. */
export const EFFECTS = effectCatalog([
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
  mailProveedor,
  ...Object.values(CREAR),
  confirmarEnCt,
  guiaACt,
  guiaACva,
  correoDePedido,
  correoDeGuia,
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
