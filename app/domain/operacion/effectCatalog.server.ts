import { effectCatalog } from '~/platform/effects/definition';
import { vincularCola, vincularEb } from '~/domain/mercados/amz/linkEventBridge.server';
import { mailCondicion } from '~/domain/operacion/mantenimiento/mailCondicion.server';
import { OFFERS } from './offers.server';

/** Every kind of call that changes the outside world. */
export const EFFECTS = effectCatalog([
  ...OFFERS.flatMap(({ effects = [] }) => effects),
  vincularEb,
  vincularCola,
  mailCondicion,
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
