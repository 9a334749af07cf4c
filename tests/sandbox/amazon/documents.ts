import { pesos, zulu, type World } from './answers';
import { HOUR, MARKETPLACE_ID } from './constants';
import { totalOfLinea, pagado, type Linea, type Venta } from './ventas';

type Options = Pick<World, 'now' | 'interruptores'> & { horasSinPaquete(): number };

const money = (centavos: number) => ({ amount: pesos(centavos), currencyCode: 'MXN' });

/** A sale as Orders 2026-01-01 tells it. `included` names the blocks that the caller asked for. */
export function orderDoc(sale: Venta, included: ReadonlySet<string>, options: Options) {
  const doc = wholeDoc(sale, included, options);
  const told = options.interruptores.is('camposNuevos', 'si') ? withNews(doc) : doc;
  const spelt = options.interruptores.is('palabras', 'minusculas') ? inSmall(told) : told;
  const { orderItems, ...rest } = spelt as Record<string, unknown>;
  return sale.rota ? rest : { ...rest, orderItems };
}

const mapped = (value: unknown, of: (fields: Record<string, unknown>) => Record<string, unknown>): unknown =>
  Array.isArray(value)
    ? value.map((one) => mapped(one, of))
    : value && typeof value === 'object'
      ? of(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one, of)])))
      : value;

const withNews = (doc: unknown) => mapped(doc, (fields) => ({ ...fields, sinDocumentar: { nuevo: [1, null] } }));

const WORDS = new Set(['type', 'subtype', 'status', 'fulfillmentStatus', 'fulfilledBy', 'entityType', 'channelName']);
const inSmall = (doc: unknown) =>
  mapped(doc, (fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, one]) => [
        name,
        WORDS.has(name) && typeof one === 'string' ? one.toLowerCase() : one,
      ]),
    ),
  );

function wholeDoc(sale: Venta, included: ReadonlySet<string>, { now, interruptores, horasSinPaquete }: Options) {
  const pending = sale.estado === 'PENDING';
  const cancelled = sale.estado === 'CANCELLED';
  const priced =
    included.has('PROCEEDS') &&
    (pending
      ? interruptores.is('pendientes', 'conPrecio')
      : !cancelled || interruptores.is('canceladas', 'conservanCantidad'));
  const people = interruptores.is('personas', 'llegan') && !pending;
  const at = (ms: number) => (interruptores.is('milisegundos', 'con') ? new Date(ms).toISOString() : zulu(ms));
  const told = sale.paquetes.filter(
    ({ en }) => interruptores.is('paquetes', 'alMomento') || en + horasSinPaquete() * HOUR <= now(),
  );
  return {
    orderId: sale.id,
    orderAliases: [],
    createdTime: at(sale.creada),
    lastUpdatedTime: new Date(sale.cambio).toISOString(),
    ...(sale.negocio && { programs: ['AMAZON_BUSINESS'] }),
    ...(sale.reemplazaA && {
      associatedOrders: [{ orderId: sale.reemplazaA, associationType: 'REPLACEMENT_ORIGINAL_ID' }],
    }),
    salesChannel: { channelName: 'AMAZON', marketplaceId: MARKETPLACE_ID, marketplaceName: 'Amazon.com.mx' },
    ...(included.has('BUYER') &&
      people && {
        buyer: {
          buyerName: sale.comprador.nombre,
          ...(sale.canal === 'MERCHANT' && { buyerEmail: `x${sale.id.slice(4, 11)}@marketplace.amazon.com.mx` }),
          ...(sale.negocio && { buyerCompanyName: sale.negocio.razon, buyerPurchaseOrderNumber: '' }),
        },
      }),
    ...(included.has('RECIPIENT') &&
      people &&
      !cancelled && {
        recipient: {
          deliveryAddress: {
            name: sale.comprador.nombre,
            addressLine1: 'Calle Ficticia 120',
            addressLine2: 'Col. Ejemplo',
            city: sale.comprador.ciudad,
            stateOrRegion: sale.comprador.entidad,
            postalCode: sale.comprador.cp,
            countryCode: 'MX',
            ...(sale.canal === 'MERCHANT' && { phone: '8100000000' }),
            addressType: 'RESIDENTIAL',
          },
        },
      }),
    ...(priced &&
      !interruptores.is('total', 'falta') && { proceeds: { grandTotal: money(totalOf(sale, interruptores)) } }),
    ...(included.has('TAX') &&
      sale.negocio &&
      !interruptores.is('rfc', 'nunca') && {
        tax: {
          taxRegistrations: [
            {
              entityType: 'BUYER',
              legalName: sale.negocio.razon,
              taxRegistrationType: interruptores.is('rfc', 'BUSINESS')
                ? 'BUSINESS'
                : interruptores.is('rfc', 'VAT')
                  ? 'VAT'
                  : 'MX_RFC',
              taxRegistrationNumber: sale.negocio.rfc,
              taxRegistrationAddress: { postalCode: sale.negocio.cp, countryCode: 'MX' },
            },
          ],
        },
      }),
    ...(included.has('FULFILLMENT') &&
      interruptores.is('surtido', 'llega') && {
        fulfillment: {
          fulfillmentStatus:
            interruptores.is('estadoNuevo', 'si') && sale.estado === 'SHIPPED' ? 'INVOICE_UNCONFIRMED' : sale.estado,
          fulfilledBy: sale.canal,
          fulfillmentServiceLevel: 'STANDARD',
          ...(sale.canal === 'MERCHANT' && {
            shipByWindow: { earliestDateTime: at(sale.creada), latestDateTime: at(sale.creada + 48 * HOUR) },
          }),
        },
      }),
    ...(included.has('PACKAGES') &&
      told.length > 0 && {
        packages: told.map((one) => ({
          packageReferenceId: one.referencia,
          createdTime: at(one.en),
          packageStatus: { status: one.estado },
          carrier: one.paqueteria,
          shipTime: at(one.en),
          shippingService: 'Terrestre',
          trackingNumber: one.guia,
          packageItems: one.piezas.map(({ id, cantidad }) => ({
            orderItemId: id,
            quantity: cantidad,
            transparencyCodes: [],
          })),
        })),
      }),
    orderItems: sale.lineas.map((linea) => itemDoc(linea, { priced, cancelled, included, interruptores })),
  };
}

function totalOf(sale: Venta, interruptores: Options['interruptores']): number {
  const paid = pagado(sale) + (interruptores.is('centavo', 'sobra') ? 1 : 0);
  return interruptores.is('total', 'alVendedor') ? Math.round(paid * 0.78) : paid;
}

type Como = {
  priced: boolean;
  cancelled: boolean;
  included: ReadonlySet<string>;
  interruptores: Options['interruptores'];
};

function itemDoc(linea: Linea, { priced, cancelled, included, interruptores }: Como) {
  const cantidad = cancelled && interruptores.is('canceladas', 'cantidadCero') ? 0 : linea.cantidad;
  const bruto = interruptores.is('precio', 'bruto');
  const item = bruto ? linea.neto + linea.iva : linea.neto;
  return {
    orderItemId: linea.id,
    quantityOrdered: cantidad,
    product: {
      asin: linea.asin,
      title: linea.titulo,
      ...(linea.sku !== null && { sellerSku: linea.sku }),
      condition: { conditionType: 'NEW', conditionSubtype: 'NEW' },
      ...(priced && { price: { unitPrice: money(Math.round(item / linea.cantidad)) } }),
      serialNumbers: [],
    },
    ...(priced &&
      interruptores.is('importesDeLinea', 'llegan') && {
        proceeds: { proceedsTotal: money(totalOfLinea(linea)), breakdowns: breakdowns(linea, bruto, interruptores) },
      }),
    ...(included.has('CANCELLATION') &&
      (linea.pideCancelar || cancelled) && {
        cancellation: linea.pideCancelar
          ? { cancellationRequest: { requester: 'BUYER', cancelReason: 'Pedido por error' } }
          : { cancellationExecution: { cancelledBy: 'BUYER', cancelReason: 'BuyerCanceled' } },
      }),
    ...(included.has('FULFILLMENT') && {
      fulfillment: {
        quantityFulfilled: linea.enviadas,
        quantityUnfulfilled: cantidad - Math.min(cantidad, linea.enviadas),
      },
    }),
  };
}

type Part = { subtype: string; value: ReturnType<typeof money> };

function breakdowns(linea: Linea, bruto: boolean, interruptores: Options['interruptores']) {
  const sign = interruptores.is('descuento', 'negativo') ? -1 : 1;
  const withTax = (net: number, iva: number) => (bruto ? net + iva : net);
  const part = (subtype: string, centavos: number): Part[] =>
    centavos === 0 ? [] : [{ subtype, value: money(centavos) }];
  const discounts = [
    ...part('ITEM', sign * withTax(linea.descuento, linea.descuentoIva)),
    ...part('SHIPPING', sign * withTax(linea.envioDescuento, linea.envioDescuentoIva)),
  ];
  const discounted = withTax(linea.descuento + linea.envioDescuento, linea.descuentoIva + linea.envioDescuentoIva);
  const taxOff = linea.descuentoIva + linea.envioDescuentoIva;
  const tax = linea.iva + linea.envioIva + linea.regaloIva;
  return [
    { type: 'ITEM', subtotal: money(withTax(linea.neto, linea.iva)) },
    ...(linea.envio === 0 ? [] : [{ type: 'SHIPPING', subtotal: money(withTax(linea.envio, linea.envioIva)) }]),
    ...(linea.regalo === 0 ? [] : [{ type: 'GIFT_WRAP', subtotal: money(withTax(linea.regalo, linea.regaloIva)) }]),
    ...(discounted === 0
      ? []
      : [{ type: 'DISCOUNT', subtotal: money(sign * discounted), detailedBreakdowns: discounts }]),
    ...(interruptores.is('lineaDeImpuesto', 'falta')
      ? []
      : [
          {
            type: 'TAX',
            subtotal: money(tax - taxOff),
            detailedBreakdowns: [
              ...part('ITEM', linea.iva),
              ...part('SHIPPING', linea.envioIva),
              ...part('GIFT_WRAP', linea.regaloIva),
              ...part('DISCOUNT', sign * taxOff),
            ],
          },
        ]),
  ];
}
