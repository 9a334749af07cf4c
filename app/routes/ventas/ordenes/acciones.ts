import { isViva } from '~/domain/ventas/envios/envio';
import { MERCADOS } from '~/domain/mercados/mercados';
import { mayBeEntregada } from '~/domain/ventas/ordenes/activas';
import { destinatariosOf, type Directorio, faltaCorreo } from '~/domain/compras/directorio/proveedor';
import type { AccionDeFila } from '~/ui/DataTable';
import { ABRE } from '~/routes/compras/facturas/textos';
import type { Fila } from './columns';
import { askSendCorreo, askSendLink, askDeliverOrden } from './questions';

/* The actions on a sale, for lists and for the panel of a sale. The caller checks the right first. */

/** Says an address of the list with one field more. */
type Con = (name: string, value: string) => string;

export const viewFacturas = ({ id, numOrden }: Fila, con: Con): AccionDeFila => ({
  texto: 'Facturas de proveedor',
  corto: 'Facturas',
  nombre: `Facturas de proveedor de la orden ${numOrden}`,
  href: con(ABRE, id),
});

/** The way to the quotation of a sale at its supplier; `cotizaciones` is undefined for people who may not open it. */
export const viewCotizacion = ({ id, numOrden, cotizacion, pagos }: Fila, cotizaciones: string | undefined) =>
  cotizaciones === undefined || (cotizacion === null && pagos === 0)
    ? []
    : [
        {
          texto: `Cotización ${cotizacion ?? 'sin folio'}`,
          nombre: `Cotización de la orden ${numOrden}`,
          href: `${cotizaciones}?ver=${id}`,
        },
      ];

/** True where nobody invoiced the sale and we may. */
const isFacturable = ({ reclamada, meliResale, clase }: Fila) =>
  !reclamada && !meliResale && clase !== 'cancelada' && clase !== 'devuelta';

export const invoice = (orden: Fila, area: string): AccionDeFila[] =>
  isFacturable(orden)
    ? [
        {
          texto: 'Facturar',
          nombre: `Facturar la orden ${orden.numOrden}`,
          href: `${area}/facturacion?numOrden=${encodeURIComponent(orden.numOrden)}`,
        },
      ]
    : [];

/** The action that sends the customer the enlace to make the factura: for a sale whose marketplace passes messages on and that nobody has invoiced. */
export const sendLink = (orden: Fila): AccionDeFila[] =>
  MERCADOS[orden.market].mensajes && isFacturable(orden)
    ? [
        {
          texto: 'Enviar link al cliente',
          nombre: `Enviar link al cliente de la orden ${orden.numOrden}`,
          envia: { intent: 'enlace', numero: orden.numOrden },
          pregunta: () => askSendLink(orden),
        },
      ]
    : [];

/**
 * The letter to the suppliers of a sale about its shipment. Where one has no address, the way to write it down (`agentes`) stands in its place for people
 * who may.
 */
export function sendCorreo(orden: Fila, directorio: Directorio, agentes: string | undefined): AccionDeFila[] {
  if (!orden.envio || !isViva(orden)) return [];
  const destinatarios = destinatariosOf(directorio, orden.proveedores);
  const falta = faltaCorreo(destinatarios);
  if (falta && agentes)
    return [{ texto: falta, corto: 'Falta correo', nombre: `${falta}, orden ${orden.numOrden}`, href: agentes }];
  return [
    {
      texto: 'Correo al proveedor',
      corto: 'Correo',
      nombre: `Correo al proveedor de la orden ${orden.numOrden}`,
      envia: { intent: 'correo', orden: orden.id },
      pregunta: () => askSendCorreo(orden, destinatarios),
    },
  ];
}

export const deliver = (orden: Fila, ahora: string): AccionDeFila[] =>
  mayBeEntregada(orden, ahora)
    ? [
        {
          texto: 'Cambiar a Entregado',
          corto: 'Entregado',
          nombre: `Cambiar a Entregado la orden ${orden.numOrden}`,
          envia: { intent: 'entregar', orden: orden.id },
          pregunta: () => askDeliverOrden(orden, ahora),
        },
      ]
    : [];
