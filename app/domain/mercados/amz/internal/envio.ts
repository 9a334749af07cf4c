import type { Money } from '~/core/money';
import { tableOf } from '~/core/table';
import type { Direccion as DireccionAmz, Order } from '~/integrations/amazon/wire';
import type { Direccion, EnvioLeido } from '~/domain/mercados/venta';
import { partesOfLineas } from '~/platform/direccion/lineas';

const BACK: Readonly<Record<string, string>> = tableOf({
  RETURNED_TO_SELLER: 'returned',
  RETURNING_TO_SELLER: 'returning_to_sender',
  REJECTED_BY_BUYER: 'returning_to_sender',
});

type Estado = { estatus: string; subestatus: string | null };

/** Returns how far the packages of a sale got, in the words of `ordenes/estatus.ts`. Amazon tells no packages of its own shipping: there the state of the sale counts. */
function estadoOf({ fulfillment, packages }: Order): Estado {
  const status = fulfillment?.fulfillmentStatus;
  const told = packages.flatMap(({ packageStatus }) => (packageStatus?.status ? [packageStatus] : []));
  if (status === 'CANCELLED' || status === 'UNFULFILLABLE') return { estatus: 'cancelled', subestatus: null };
  if (status === 'PARTIALLY_SHIPPED') return { estatus: 'ready_to_ship', subestatus: 'partially_shipped' };
  const lost = told.find((one) => one.status === 'UNDELIVERABLE' || BACK[one.detailedStatus ?? ''] !== undefined);
  if (lost) return { estatus: 'not_delivered', subestatus: BACK[lost.detailedStatus ?? ''] ?? null };
  if (told.length > 0 && told.every((one) => one.status === 'DELIVERED'))
    return { estatus: 'delivered', subestatus: null };
  // Amazon counts a label that was bought as shipped, before any carrier has the package.
  if (told.length > 0 && told.every((one) => one.status === 'PENDING'))
    return { estatus: 'ready_to_ship', subestatus: 'printed' };
  const left = status === 'SHIPPED' || status === 'INVOICE_UNCONFIRMED' || told.length > 0;
  return { estatus: left ? 'shipped' : 'ready_to_ship', subestatus: null };
}

/** Tells whether we send a sale ourselves, and not Amazon. */
export const isOwn = ({ fulfillment }: Order) => fulfillment?.fulfilledBy !== 'AMAZON';

/** Returns the one shipment in which a sale travels, whatever packages it took. Its number is that of the sale. */
export function envioOf(order: Order, costo: Money | null): EnvioLeido {
  const last = ultimo(order.packages);
  return {
    marketId: order.orderId,
    ...estadoOf(order),
    modo: order.fulfillment?.fulfilledBy ?? null,
    tipoLogistico: isOwn(order) ? null : 'fulfillment',
    propio: isOwn(order),
    guia: last?.trackingNumber ?? null,
    paqueteria: last?.carrier ?? null,
    fechaCreacion: order.createdTime,
    actualizadoEn: order.lastUpdatedTime,
    pagos: null,
    costo,
    costoComprador: null,
    documento: { packages: order.packages, recipient: order.recipient ?? null },
    ...direccionOf(order.recipient?.deliveryAddress ?? null),
  };
}

/** Returns the package that stands for all: the latest one that was not cancelled. */
function ultimo(packages: Order['packages']): Order['packages'][number] | undefined {
  const at = (one: Order['packages'][number]) => one.createdTime?.getTime() ?? 0;
  return packages
    .filter(({ packageStatus }) => packageStatus?.status !== 'CANCELLED')
    .reduce<Order['packages'][number] | undefined>((best, one) => (best && at(best) > at(one) ? best : one), undefined);
}

/** Amazon gives an address by lines. A part that the lines do not tell plainly stays empty, and is asked of a person before anything is ordered. */
function direccionOf(at: DireccionAmz | null): Direccion {
  const { calle, numeroE, numeroI, colonia, resto } = partesOfLineas([
    at?.addressLine1,
    at?.addressLine2,
    at?.addressLine3,
  ]);
  const referencia = [...resto, at?.companyName].filter(Boolean).join(', ');
  return {
    nombreReceptor: at?.name ?? null,
    telefono: at?.phone ?? null,
    calle,
    numeroE,
    numeroI,
    referencia: referencia || null,
    colonia,
    ciudad: at?.city ?? null,
    municipio: at?.municipality ?? at?.districtOrCounty ?? at?.city ?? null,
    estado: at?.stateOrRegion ?? null,
    cp: at?.postalCode ?? null,
  };
}
