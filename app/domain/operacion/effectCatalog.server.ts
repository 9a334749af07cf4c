import { effectCatalog, type OfferedEffect } from '~/platform/effects/definition';
import { mailPlazo } from '~/domain/atencion/reclamos/tellPlazos.server';
import { mailReclamoEffect } from '~/domain/atencion/reclamos/mailReclamo.server';
import { vincularEb } from '~/domain/mercados/amz/linkEventBridge.server';
import { mailCondicion } from '~/domain/operacion/mantenimiento/mailCondicion.server';
import { mensajesDeReclamo, resoluciones } from '~/domain/atencion/reclamos/actuarEnReclamo.server';
import { bloqueos } from '~/domain/atencion/preguntas/comprador.server';
import { respuestas } from '~/domain/atencion/preguntas/responderPregunta.server';
import { entregas } from '~/domain/facturacion/emision/entregas.server';
import { mensajesConEnlace } from '~/domain/facturacion/enlaces/messageEnlace.server';
import { mudanzas } from '~/domain/publicaciones/publicador/changeCategoria.server';
import { puestas } from '~/domain/publicaciones/publicador/puestas.server';
import { archivos, cambios } from '~/domain/publicaciones/publicaciones/cambios.server';
import { avisosDeEnvio } from '~/domain/ventas/envios/avisos.server';
import { compras } from '~/domain/ventas/envios/buyGuia.server';
import { cancelaciones } from '~/domain/ventas/envios/cancelGuia.server';
import { impresiones } from '~/domain/ventas/envios/traerGuia.server';
import { OFFERS } from './offers.server';

/** The effects that marketplaces do, one definition for each marketplace. */
const OF_MARKETS = [
  cambios,
  archivos,
  puestas,
  mudanzas,
  avisosDeEnvio,
  impresiones,
  compras,
  cancelaciones,
  entregas,
  mensajesConEnlace,
  respuestas,
  bloqueos,
  mensajesDeReclamo,
  resoluciones,
];

/** Every kind of call that changes the outside world. */
export const EFFECTS = effectCatalog([
  ...OFFERS.flatMap(({ effects = [] }) => effects),
  ...OF_MARKETS.flatMap((effects): OfferedEffect[] => effects.all()),
  vincularEb,
  mailCondicion,
  mailReclamoEffect,
  mailPlazo,
]);

/** The kinds of things that effects are about. The words are stored with each effect: a word never changes once it was used, and no two nouns share one. */
declare module '~/platform/effects/definition' {
  interface Entidades {
    orden: true;
    /** All ordenes of one number at one marketplace (`laVenta`). */
    venta: true;
    envio: true;
    factura: true;
    /** The factura that a stamp replaces. */
    sustituida: true;
    notaSencilla: true;
    enlace: true;
    mes: true;
    /** The RFC that a document is made out to. */
    receptor: true;
    /** The RFC of tax data that are being kept. */
    rfc: true;
    /** The PAC's id of tax data that are being kept. */
    cliente: true;
    pedido: true;
    publicacion: true;
    producto: true;
    condicion: true;
    pregunta: true;
    comprador: true;
    reclamo: true;
  }
}
