import { bodyOf, type SandboxRequest, type SandboxResponse } from '../service';
import { no, notFound, type World } from './answers';
import { MARKETPLACE_ID } from './constants';
import { settle } from './ventas';

type Options = Pick<World, 'now' | 'ventas' | 'interruptores' | 'changed'>;

type Body = {
  marketplaceId?: string;
  packageDetail?: {
    packageReferenceId?: string;
    carrierCode?: string;
    carrierName?: string;
    trackingNumber?: string;
    shipDate?: string;
    orderItems?: { orderItemId?: string; quantity?: number }[];
  };
};

const wrong = (message: string) => no(400, 'Invalid Input', message);
const done: SandboxResponse = { status: 204 };

/** Orders v0, the confirmation of a shipment: the seller says that a package left. No other call of this version is left. */
export function confirmShipment(request: SandboxRequest, options: Options): SandboxResponse {
  const id = request.params.id!;
  const sale = options.ventas().find((one) => one.id === id);
  if (!sale) return notFound(id);
  const { marketplaceId, packageDetail: told } = bodyOf(request) as Body;
  if (marketplaceId !== MARKETPLACE_ID) return wrong('marketplaceId is required.');
  if (!told?.packageReferenceId || !told.trackingNumber || !told.shipDate) return wrong('packageDetail is incomplete.');
  if (!told.carrierCode) return wrong('carrierCode is required.');
  if (told.carrierCode !== 'Other' && options.interruptores.is('paqueterias', 'soloOther'))
    return wrong('carrierCode is not valid for this marketplace.');
  if (told.carrierCode === 'Other' && !told.carrierName)
    return wrong('carrierName is required when carrierCode is Other.');
  if (Number.isNaN(Date.parse(told.shipDate)) || !told.shipDate.includes('T')) return wrong('shipDate is invalid.');
  const items = told.orderItems ?? [];
  if (items.length === 0) return wrong('orderItems is required.');
  const again = sale.paquetes.find(({ referencia }) => referencia === told.packageReferenceId);
  if (again) {
    if (options.interruptores.is('paqueteRepetido', '400')) return wrong('packageReferenceId was already used.');
    again.guia = told.trackingNumber;
    again.paqueteria = told.carrierName ?? told.carrierCode;
    sale.cambio = options.now();
    options.changed();
    return done;
  }
  if (sale.estado !== 'UNSHIPPED' && sale.estado !== 'PARTIALLY_SHIPPED')
    return options.interruptores.is('confirmarTerminada', '204') ? done : wrong('The order cannot be confirmed.');
  for (const { orderItemId, quantity = 0 } of items) {
    const linea = sale.lineas.find((one) => one.id === orderItemId);
    if (!linea) return wrong('orderItemId is not of this order.');
    if (quantity < 1 || quantity > linea.cantidad - linea.enviadas) return wrong('quantity is over what is left.');
  }
  for (const { orderItemId, quantity = 0 } of items)
    sale.lineas.find((one) => one.id === orderItemId)!.enviadas += quantity;
  sale.paquetes.push({
    referencia: told.packageReferenceId,
    en: Date.parse(told.shipDate),
    estado: 'SHIPPED',
    paqueteria: told.carrierName ?? told.carrierCode,
    guia: told.trackingNumber,
    piezas: items.map(({ orderItemId = '', quantity = 0 }) => ({ id: orderItemId, cantidad: quantity })),
  });
  settle(sale, options.now());
  options.changed();
  return done;
}
