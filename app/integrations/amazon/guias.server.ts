import type { Money } from '~/core/money';
import { tableOf } from '~/core/table';
import { diezDigitosOf } from '~/core/telefono';
import { Refused } from '../errors';
import { readJson, readShape } from './answer';
import { createLlamada, encoded, type LlamadaOptions } from './call.server';
import { createAmazon, readOrder } from './client.server';
import type { Order } from './wire';
import { Service, Services, Shipment } from './wireGuias';

export type DeQuien = {
  nombre: string;
  calle: string;
  colonia: string | null;
  ciudad: string;
  estado: string;
  cp: string;
  telefono: string;
  email: string;
};
/** Weight of a package in grams, and its sides in centimetres. */
export type Medidas = { peso: number; largo: number; ancho: number; alto: number };
export type EnvioPorComprar = {
  venta: string;
  piezas: { id: string; cantidad: number }[];
  remitente: DeQuien;
  paquete: Medidas;
};

export type ServicioAmz = {
  id: string;
  /** Amazon's name of the offer; null where it tells none. */
  oferta: string | null;
  nombre: string;
  paqueteria: string;
  precio: Money;
  moneda: string | null;
  desde: Date | null;
  hasta: Date | null;
  /** The label needs more answers, which only the seller's page asks. */
  pideMas: boolean;
};
export type ServiciosAmz = {
  servicios: ServicioAmz[];
  /** Number of offers that could not be read. */
  ilegibles: number;
  rechazados: { nombre: string; motivo: string }[];
  sinTerminos: string[];
  suspendidas: string[];
};

/** A shipment, as it is described for a quote and for a purchase. */
export const detalleOf = ({ venta, piezas, remitente, paquete }: EnvioPorComprar) => ({
  AmazonOrderId: venta,
  ItemList: piezas.map(({ id, cantidad }) => ({ OrderItemId: id, Quantity: cantidad })),
  ShipFromAddress: {
    Name: remitente.nombre,
    AddressLine1: remitente.calle,
    ...(remitente.colonia && { AddressLine2: remitente.colonia }),
    Email: remitente.email,
    City: remitente.ciudad,
    StateOrProvinceCode: remitente.estado,
    PostalCode: remitente.cp,
    CountryCode: 'MX',
    Phone: diezDigitosOf(remitente.telefono) ?? remitente.telefono,
  },
  PackageDimensions: { Length: paquete.largo, Width: paquete.ancho, Height: paquete.alto, Unit: 'centimeters' },
  Weight: { Value: paquete.peso, Unit: 'g' },
  ShippingServiceOptions: {
    DeliveryExperience: 'DeliveryConfirmationWithoutSignature',
    CarrierWillPickUp: false,
    LabelFormat: 'PDF',
  },
});

export type EstadoAmz = 'comprada' | 'reembolsoPedido' | 'reembolsada' | 'sinReembolso';
const ESTADO: Readonly<Record<string, EstadoAmz>> = tableOf({
  PURCHASED: 'comprada',
  REFUNDPENDING: 'reembolsoPedido',
  REFUNDAPPLIED: 'reembolsada',
  REFUNDREJECTED: 'sinReembolso',
});
/** Returns the state of a label. With an unknown word the label stands, since the word tells no refund. */
export const estadoOf = ({ Status }: Pick<Shipment, 'Status'>): EstadoAmz => ESTADO[Status ?? ''] ?? 'comprada';

const names = (carriers: { CarrierName: string | null }[]) => carriers.flatMap(({ CarrierName }) => CarrierName ?? []);

/** Reads of the labels that Amazon sells for packages that the seller ships. No read buys anything. */
export function createGuiasAmz(options: LlamadaOptions) {
  const call = createLlamada(options);
  const lector = createAmazon(options);
  return {
    /** Reads a sale as it stands now; null when Amazon does not know it. */
    async venta(id: string): Promise<Order | null> {
      try {
        return readOrder(await lector.getOrder(id));
      } catch (error) {
        if (error instanceof Refused && error.details.status === 404) return null;
        throw error;
      }
    },

    async servicios(envio: EnvioPorComprar): Promise<ServiciosAmz> {
      const what = 'servicios de envío';
      const answer = await call(
        {
          operacion: 'getEligibleShipmentServices',
          method: 'POST',
          path: '/mfn/v0/eligibleShippingServices',
          body: { ShipmentRequestDetails: detalleOf(envio) },
          soloLee: true,
        },
        what,
      );
      const { payload } = readShape(Services, readJson(answer, what), what);
      const read = payload.ShippingServiceList.map((one) => Service.safeParse(one).data);
      const servicios = read.flatMap((one) => (one ? [servicioOf(one)] : []));
      return {
        servicios: servicios.toSorted((a, b) => a.precio.compare(b.precio)),
        ilegibles: read.length - servicios.length,
        rechazados: payload.RejectedShippingServiceList.map((one) => ({
          nombre: [one.CarrierName, one.ShippingServiceName].filter(Boolean).join(' ') || 'Servicio',
          motivo: one.RejectionReasonMessage ?? one.RejectionReasonCode ?? 'sin motivo',
        })),
        sinTerminos: names(payload.TermsAndConditionsNotAcceptedCarrierList),
        suspendidas: names(payload.TemporarilyUnavailableCarrierList),
      };
    },

    async envio(id: string): Promise<Shipment> {
      const what = 'envío comprado';
      const answer = await call(
        { operacion: 'getShipment', method: 'GET', path: `/mfn/v0/shipments/${encoded(id)}`, restringida: true },
        what,
      );
      return readShape(Shipment, readJson(answer, what), what).payload;
    },
  };
}

export type GuiasAmz = ReturnType<typeof createGuiasAmz>;

const servicioOf = (one: ReturnType<typeof Service.parse>): ServicioAmz => ({
  id: one.ShippingServiceId,
  oferta: one.ShippingServiceOfferId,
  nombre: one.ShippingServiceName ?? one.ShippingServiceId,
  paqueteria: one.CarrierName ?? 'Sin paquetería',
  precio: one.Rate.Amount,
  moneda: one.Rate.CurrencyCode,
  desde: one.EarliestEstimatedDeliveryDate,
  hasta: one.LatestEstimatedDeliveryDate,
  pideMas: one.RequiresAdditionalSellerInputs,
});

const TERMINADA = ['CANCELLED', 'UNFULFILLABLE'];

/**
 * Returns the pieces of a sale for which a label may be bought, or why for none. `otraVez`: a label was bought and cancelled, and Amazon goes on
 * saying that its pieces left.
 */
export function piezasPorEnviar(
  sale: Order | null,
  { otraVez }: { otraVez: boolean },
): { piezas: EnvioPorComprar['piezas'] } | { porque: string } {
  if (!sale) return { porque: 'Amazon no conoce esta venta.' };
  const { fulfilledBy = null, fulfillmentStatus: estado = null } = sale.fulfillment ?? {};
  if (fulfilledBy === 'AMAZON') return { porque: 'Esta venta la manda Amazon.' };
  if (estado !== null && TERMINADA.includes(estado)) return { porque: 'La venta se canceló en Amazon.' };
  if (estado !== null && estado.startsWith('PENDING'))
    return { porque: 'Amazon todavía no confirma el pago de la venta.' };
  const piezas = sale.orderItems
    .map(({ orderItemId, quantityOrdered, fulfillment }) => ({
      id: orderItemId,
      cantidad: otraVez ? quantityOrdered : quantityOrdered - (fulfillment?.quantityFulfilled ?? 0),
    }))
    .filter(({ cantidad }) => cantidad > 0);
  return piezas.length > 0 ? { piezas } : { porque: 'Amazon ya da todas sus piezas por enviadas.' };
}
