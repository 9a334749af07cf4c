import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pdfOf } from '../paginas';
import { bodyOf, json, type Handler, type SandboxRequest, type SandboxResponse } from '../service';
import { denied, invalid, no, notFound, zulu, type Operations, type World } from './answers';
import { DAY } from './constants';
import { settle } from './ventas';

type Estado = 'Purchased' | 'RefundPending' | 'RefundRejected' | 'RefundApplied';
type Servicio = (typeof SERVICIOS)[number];
/** A label that was bought. */
type Comprada = {
  id: string;
  venta: string;
  servicio: string;
  centavos: number;
  estado: Estado;
  guia: string;
  en: number;
  detalle: Detalle;
};
export type GuiasState = { compradas: Comprada[] };
export const emptyGuias = (): GuiasState => ({ compradas: [] });

type Detalle = {
  AmazonOrderId?: string;
  ItemList?: { OrderItemId?: string; Quantity?: number }[];
  ShipFromAddress?: Record<string, string | undefined>;
  PackageDimensions?: { Length?: number; Width?: number; Height?: number; Unit?: string };
  Weight?: { Value?: number; Unit?: string };
  ShippingServiceOptions?: { DeliveryExperience?: string; CarrierWillPickUp?: boolean };
};

/** Services on offer. No source tells the carriers of México, so these names claim nothing. */
const SERVICIOS = [
  { id: 'ESTAFETA_TERRESTRE', paqueteria: 'Estafeta', nombre: 'Terrestre', base: 11_900, dias: [3, 5], pideMas: false },
  { id: 'FEDEX_ECONOMICO', paqueteria: 'FedEx', nombre: 'Económico', base: 14_450, dias: [2, 4], pideMas: false },
  { id: 'DHL_EXPRESS', paqueteria: 'DHL', nombre: 'Express', base: 23_100, dias: [1, 1], pideMas: true },
] as const;
const SIN_TERMINOS = 'Paquetexpress';

const ADDRESS = ['Name', 'AddressLine1', 'Email', 'City', 'PostalCode', 'CountryCode', 'Phone'] as const;
const EXPERIENCES = [
  'DeliveryConfirmationWithAdultSignature',
  'DeliveryConfirmationWithSignature',
  'DeliveryConfirmationWithoutSignature',
  'NoTracking',
];

/** Merchant Fulfillment v0: the services and prices for a package, and labels that are bought, read and given back. */
export class Guias {
  state = emptyGuias();
  constructor(readonly options: Pick<World, 'now' | 'ventas' | 'interruptores' | 'changed'>) {}

  get operations(): Operations {
    const allowed = (work: (request: SandboxRequest) => SandboxResponse) => (request: SandboxRequest) =>
      this.options.interruptores.is('guias', '403') ? denied() : work(request);
    const known = (work: (found: Comprada) => SandboxResponse) =>
      allowed(({ params: { id } }) => {
        const found = this.state.compradas.find((one) => one.id === id);
        return found ? work(found) : no(404, 'InvalidInput', `Shipment ${id} not found`);
      });
    const one = '/mfn/v0/shipments/:id';
    const services = allowed((request) => this.#services(request));
    return {
      'POST /mfn/v0/eligibleShippingServices': ['getEligibleShipmentServices', services],
      'POST /mfn/v0/shipments': ['createShipment', allowed((request) => this.#buy(request)), 'restringida'],
      [`GET ${one}`]: ['getShipment', known((found) => json(200, { payload: this.#doc(found) })), 'restringida'],
      [`DELETE ${one}`]: ['cancelShipment', known((found) => this.#cancel(found)), 'restringida'],
    };
  }

  /** Returns the refusal of a shipment as described; undefined when it can be taken. */
  #wrong(detalle: Detalle | undefined): SandboxResponse | undefined {
    if (!detalle) return invalid('ShipmentRequestDetails is required.');
    const sale = this.options.ventas().find(({ id }) => id === detalle.AmazonOrderId);
    if (!sale) return notFound(detalle.AmazonOrderId ?? '');
    if (sale.canal !== 'MERCHANT' || ['PENDING', 'CANCELLED', 'UNFULFILLABLE'].includes(sale.estado))
      return invalid('The order is not eligible for Merchant Fulfillment.');
    const items = detalle.ItemList ?? [];
    if (items.length === 0) return invalid('ItemList is required.');
    for (const { OrderItemId, Quantity = 0 } of items) {
      const linea = sale.lineas.find(({ id }) => id === OrderItemId);
      if (!linea || !Number.isInteger(Quantity) || Quantity < 1 || Quantity > linea.cantidad)
        return invalid('ItemList is invalid.');
    }
    const from = detalle.ShipFromAddress ?? {};
    for (const field of ADDRESS) if (!from[field]) return invalid(`ShipFromAddress.${field} is required.`);
    if ((from.Name ?? '').length > 30 || (from.City ?? '').length > 30 || (from.Phone ?? '').length > 30)
      return invalid('ShipFromAddress is too long.');
    const { Length = 0, Width = 0, Height = 0, Unit } = detalle.PackageDimensions ?? {};
    if (Math.min(Length, Width, Height) <= 0 || !['inches', 'centimeters'].includes(Unit ?? ''))
      return invalid('PackageDimensions is invalid.');
    const { Value = 0, Unit: unit } = detalle.Weight ?? {};
    if (Value <= 0 || !['oz', 'g'].includes(unit ?? '')) return invalid('Weight is invalid.');
    const { DeliveryExperience = '', CarrierWillPickUp } = detalle.ShippingServiceOptions ?? {};
    if (!EXPERIENCES.includes(DeliveryExperience) || typeof CarrierWillPickUp !== 'boolean')
      return invalid('ShippingServiceOptions is invalid.');
    return undefined;
  }

  #offered(): readonly Servicio[] {
    return this.options.interruptores.is('paqueteriasDeGuias', 'hay') ? SERVICIOS : [];
  }

  #services(request: SandboxRequest): SandboxResponse {
    const { interruptores } = this.options;
    const { ShipmentRequestDetails: detalle } = bodyOf(request) as { ShipmentRequestDetails?: Detalle };
    const wrong = this.#wrong(detalle);
    if (wrong) return wrong;
    const unaccepted = interruptores.is('terminos', 'sinAceptar');
    const services = unaccepted ? [] : this.#offered();
    const down = interruptores.is('paqueteriasDeGuias', 'caidas');
    return json(200, {
      payload: {
        ShippingServiceList: services.map((one) => this.#service(one, detalle!)),
        ...(services.length > 0 && {
          RejectedShippingServiceList: [
            {
              CarrierName: 'Estafeta',
              ShippingServiceName: 'Día siguiente',
              ShippingServiceId: 'ESTAFETA_DIA_SIGUIENTE',
              RejectionReasonCode: 'CARRIER_CANNOT_SHIP_TO_ADDRESS',
              RejectionReasonMessage: 'No llega a ese código postal.',
            },
          ],
        }),
        TemporarilyUnavailableCarrierList: down ? [{ CarrierName: 'Estafeta' }] : [],
        TermsAndConditionsNotAcceptedCarrierList: unaccepted
          ? [...SERVICIOS.map(({ paqueteria }) => ({ CarrierName: paqueteria })), { CarrierName: SIN_TERMINOS }]
          : [],
      },
    });
  }

  #centavos({ base }: Servicio, { Weight }: Detalle): number {
    const grams = Weight?.Unit === 'oz' ? (Weight.Value ?? 0) * 28.35 : (Weight?.Value ?? 0);
    return base + Math.ceil(grams / 1000) * 1_500;
  }

  /** Offers made so far. Under the switch `precioDeGuia` an offer is dearer, or gone, the second time. */
  readonly #asked = new Set<string>();

  #service(one: Servicio, detalle: Detalle) {
    const { interruptores, now } = this.options;
    const before = this.#asked.has(`${detalle.AmazonOrderId} ${one.id}`);
    this.#asked.add(`${detalle.AmazonOrderId} ${one.id}`);
    const more = before && interruptores.is('precioDeGuia', 'sube') ? 1_000 : 0;
    const at = (days: number) => zulu(now() + days * DAY);
    const retired = before && interruptores.is('precioDeGuia', 'seRetira');
    return {
      ShippingServiceName: one.nombre,
      CarrierName: one.paqueteria,
      ShippingServiceId: retired ? `${one.id}_2` : one.id,
      ShippingServiceOfferId: `oferta-${one.id}`,
      ShipDate: at(0),
      EarliestEstimatedDeliveryDate: at(one.dias[0]),
      LatestEstimatedDeliveryDate: at(one.dias[1]),
      Rate: {
        CurrencyCode: interruptores.is('tarifa', 'USD') ? 'USD' : 'MXN',
        Amount: (this.#centavos(one, detalle) + more) / 100,
      },
      ShippingServiceOptions: detalle.ShippingServiceOptions,
      AvailableLabelFormats: ['PDF', 'PNG', 'ZPL203'],
      RequiresAdditionalSellerInputs: one.pideMas,
    };
  }

  #buy(request: SandboxRequest): SandboxResponse {
    const { now, changed, interruptores } = this.options;
    const {
      ShipmentRequestDetails: detalle,
      ShippingServiceId: wanted,
      ShippingServiceOfferId: offer,
    } = bodyOf(request) as {
      ShipmentRequestDetails?: Detalle;
      ShippingServiceId?: string;
      ShippingServiceOfferId?: string;
    };
    const wrong = this.#wrong(detalle);
    if (wrong) return wrong;
    const servicio = this.#offered().find(({ id }) => id === wanted);
    if (!servicio || (offer !== undefined && offer !== `oferta-${servicio.id}`))
      return invalid('ShippingServiceId is not available for this shipment.');
    if (servicio.pideMas) return invalid('Additional seller inputs are required.');
    const sale = this.options.ventas().find(({ id }) => id === detalle!.AmazonOrderId)!;
    const n = this.state.compradas.length + 1;
    const bought: Comprada = {
      id: randomUUID(),
      venta: sale.id,
      servicio: servicio.id,
      centavos: this.#centavos(servicio, detalle!),
      estado: 'Purchased',
      guia: `AMZ${sale.id.slice(4).replaceAll('-', '')}${n}`,
      en: now(),
      detalle: detalle!,
    };
    this.state.compradas.push(bought);
    // A sale counts as shipped from the moment its label is bought.
    const piezas = (detalle!.ItemList ?? []).map(({ OrderItemId = '', Quantity = 0 }) => ({
      id: OrderItemId,
      cantidad: Quantity,
    }));
    for (const { id, cantidad } of piezas) {
      const linea = sale.lineas.find((one) => one.id === id)!;
      linea.enviadas = Math.min(linea.cantidad, linea.enviadas + cantidad);
    }
    sale.paquetes.push({
      referencia: String(sale.paquetes.length + 1),
      en: now(),
      estado: interruptores.is('paqueteComprado', 'PENDING') ? 'PENDING' : 'SHIPPED',
      paqueteria: servicio.paqueteria,
      guia: bought.guia,
      piezas,
    });
    settle(sale, now());
    changed();
    return json(200, { payload: this.#doc(bought, !interruptores.is('etiqueta', 'despues')) });
  }

  #doc(bought: Comprada, withLabel = true) {
    const servicio = SERVICIOS.find(({ id }) => id === bought.servicio)!;
    const { ItemList, ShipFromAddress, PackageDimensions, Weight } = bought.detalle;
    return {
      ShipmentId: bought.id,
      AmazonOrderId: bought.venta,
      SellerOrderId: bought.venta,
      ItemList,
      ShipFromAddress,
      ShipToAddress: { Name: 'Comprador', AddressLine1: 'Calle Ficticia 120', City: 'Monterrey', CountryCode: 'MX' },
      PackageDimensions,
      Weight,
      Insurance: { CurrencyCode: 'MXN', Amount: 0 },
      ShippingService: {
        ...this.#service(servicio, bought.detalle),
        Rate: { CurrencyCode: 'MXN', Amount: bought.centavos / 100 },
      },
      Label: {
        Dimensions: { Length: 6, Width: 4, Unit: 'inches' },
        FileContents:
          withLabel && bought.estado === 'Purchased'
            ? this.#label(bought)
            : { Contents: '', FileType: '', Checksum: '' },
        LabelFormat: 'PDF',
      },
      Status: bought.estado,
      TrackingId: bought.guia,
      CreatedDate: new Date(bought.en).toISOString(),
      LastUpdatedDate: new Date(this.options.now()).toISOString(),
    };
  }

  #label({ venta, guia }: Comprada) {
    const { interruptores } = this.options;
    const pdf = pdfOf([[`Amazon ${guia}`, venta]]);
    const packed = gzipSync(pdf);
    const sumOf = (bytes: Buffer) => createHash('md5').update(bytes).digest('base64');
    const Checksum = sumOf(interruptores.is('sumaDeEtiqueta', 'delEmpaque') ? packed : pdf);
    const Contents = (
      interruptores.is('etiqueta', 'danada') ? gzipSync(Buffer.concat([pdf, Buffer.from('x')])) : packed
    ).toString('base64');
    return { Contents, FileType: 'application/pdf', Checksum };
  }

  #cancel(found: Comprada): SandboxResponse {
    if (found.estado !== 'Purchased') return invalid('The shipment was already cancelled.');
    const { interruptores } = this.options;
    const said = (['RefundApplied', 'RefundRejected', 'Purchased'] as const).find((one) =>
      interruptores.is('reembolso', one),
    );
    // The sale still counts as shipped.
    found.estado = said ?? 'RefundPending';
    this.options.changed();
    return json(200, { payload: this.#doc(found) });
  }

  readonly control: Record<string, Handler> = {
    'GET /guias': () =>
      json(
        200,
        this.state.compradas.map(({ id, venta, servicio, centavos, estado, guia, detalle }) => ({
          id,
          venta,
          servicio,
          centavos,
          estado,
          guia,
          piezas: detalle.ItemList,
          remitente: detalle.ShipFromAddress?.Name,
        })),
      ),
    /** Settles the refund of a label, as its carrier would. */
    'POST /guias/:id/reembolso': (request) => {
      const found = this.state.compradas.find(({ id }) => id === request.params.id);
      if (!found) return json(404, { error: 'not_found' });
      const { estado } = bodyOf(request) as { estado?: Estado };
      found.estado = estado ?? 'RefundApplied';
      this.options.changed();
      return json(200, { estado: found.estado });
    },
  };

  reset() {
    this.state = emptyGuias();
    this.#asked.clear();
  }
}
