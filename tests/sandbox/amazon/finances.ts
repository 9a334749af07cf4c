import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { invalid, type World } from './answers';
import { HOUR, MARKETPLACE_ID, MINUTE, SELLER_ID } from './constants';
import type { Linea, Venta } from './ventas';

/** `horasTarde`: hours after which a movement is told. */
type Options = Pick<World, 'now' | 'ventas' | 'interruptores'> & { horasTarde(): number };

export type Desglose = {
  breakdownType: string;
  breakdownAmount: ReturnType<typeof importe>;
  breakdowns: Desglose[] | null;
};

const MAX_WINDOW = 180 * 24 * HOUR;
const PAGE = 50;
/** Hours after it was sent at which a payment is released: seven days after a delivery of four. */
const RETENIDO = 11 * 24 * HOUR;
const importe = (centavos: number) => ({ currencyCode: 'MXN', currencyAmount: Math.round(centavos) / 100 });
const nodo = (breakdownType: string, centavos: number, breakdowns: Desglose[] | null = null): Desglose => ({
  breakdownType,
  breakdownAmount: importe(centavos),
  breakdowns,
});

/** Amazon's commission: 15 % of the price that the buyer paid, plus its IVA. */
const COMISION = 0.15;
export const FBA = 8_200;
export function comisionSobre(bruto: number, conIva: boolean) {
  const base = Math.round(bruto * COMISION);
  return base + (conIva ? Math.round(base * 0.16) : 0);
}

/** Commission, fulfilment and withheld taxes of a sale, in centavos. */
export function cargosDe(sale: Venta, comisionConIva: boolean) {
  const gross = sale.lineas.reduce(
    (sum, { neto, iva, descuento, descuentoIva }) => sum + neto + iva - descuento - descuentoIva,
    0,
  );
  const net = sale.lineas.reduce((sum, { neto, descuento }) => sum + neto - descuento, 0);
  return {
    comision: comisionSobre(gross, comisionConIva),
    surtido: sale.canal === 'AMAZON' ? FBA * sale.lineas.length : 0,
    ivaRetenido: Math.round(net * 0.08),
    isr: Math.round(net * 0.025),
  };
}

/** Movements of the account because of a sale: the payment when it ships, and each part that is given back. */
export const movimientosOf = ({ enviadaEn, devoluciones }: Venta) => [
  ...(enviadaEn === null ? [] : [{ clase: 'Shipment' as const, en: enviadaEn, factor: 1, n: 0 }]),
  ...devoluciones.map(({ en, parte }, n) => ({ clase: 'Refund' as const, en, factor: -parte, n })),
];

/** Finances 2024-06-19: charges, withholdings and refunds of sales, told some days later. */
export function createFinances({ now, ventas, interruptores, horasTarde }: Options) {
  function status(at: number, kind: 'Shipment' | 'Refund') {
    if (interruptores.is('palabraDeEstado', 'falta')) return {};
    const released = interruptores.is('palabraDeEstado', 'Released') ? 'Released' : 'RELEASED';
    if (kind === 'Refund' || interruptores.is('diferido', 'no')) return { transactionStatus: released };
    return { transactionStatus: at + RETENIDO > now() ? 'DEFERRED' : 'DEFERRED_RELEASED' };
  }

  /** The context of a payment that waits, in the place where this one is told. */
  function deferred(at: number, kind: 'Shipment' | 'Refund', place: 'movimiento' | 'lineas') {
    const told = interruptores.is('diferido', 'lineas') ? 'lineas' : 'movimiento';
    const silent = (['no', 'sinFecha'] as const).some((none) => interruptores.is('diferido', none));
    if (kind === 'Refund' || silent || place !== told) return [];
    return [
      {
        contextType: interruptores.is('diferido', 'otraPalabra') ? 'Deferral' : 'DeferredContext',
        deferralReason: 'DD7',
        maturityDate: new Date(at + RETENIDO).toISOString(),
      },
    ];
  }

  const share = (sale: Venta, linea: Linea) =>
    linea.neto + linea.iva === 0
      ? 1 / sale.lineas.length
      : (linea.neto + linea.iva) / sale.lineas.reduce((sum, { neto, iva }) => sum + neto + iva, 0);

  /** The parts of a line, from the buyer's money to Amazon's charges. `factor` is -0.5 when half of the line goes back. */
  function partsOf(sale: Venta, linea: Linea, factor: number): Desglose[] {
    const cargos = cargosDe(sale, interruptores.is('comision', 'conIva'));
    const part = share(sale, linea) * factor;
    const round = (centavos: number) => Math.round(centavos * factor);
    const fee = Math.round(cargos.comision * part);
    const withheld = Math.round(cargos.ivaRetenido * part);
    const isr = Math.round(cargos.isr * part);
    const principal = round(linea.neto - linea.descuento);
    const shipping = round(linea.envio - linea.envioDescuento);
    const itemTax = round(linea.iva - linea.descuentoIva);
    const shippingTax = round(linea.envioIva - linea.envioDescuentoIva);
    const fba = Math.round(cargos.surtido * part);
    const feeParts = interruptores.is('comision', 'conIva')
      ? [nodo('Base', -Math.round(fee / 1.16)), nodo('Tax', -(fee - Math.round(fee / 1.16)))]
      : null;
    return [
      nodo('ProductCharges', principal, [nodo('OurPricePrincipal', principal)]),
      nodo('Tax', itemTax + shippingTax, [nodo('OurPriceTax', itemTax), nodo('ShippingTax', shippingTax)]),
      ...(shipping === 0 ? [] : [nodo('Shipping', shipping, [nodo('ShippingPrincipal', shipping)])]),
      ...(linea.regalo === 0 ? [] : [nodo('GiftWrap', round(linea.regalo + linea.regaloIva))]),
      nodo('AmazonFees', -(fee + fba), [
        nodo('Commission', -fee, feeParts),
        ...(fba === 0 ? [] : [nodo('FBAPerUnitFulfillmentFee', -fba)]),
      ]),
      ...(interruptores.is('retenido', 'nunca')
        ? []
        : interruptores.is('retenido', 'otroNombre')
          ? [nodo('RetencionesPlataforma', -withheld, [nodo('IVA', -withheld)])]
          : [nodo('MarketplaceFacilitatorVAT-Principal', -withheld)]),
      ...(interruptores.is('isr', 'porVenta') ? [nodo('MarketplaceFacilitatorISR', -isr)] : []),
    ];
  }

  function transaction(sale: Venta, kind: 'Shipment' | 'Refund', at: number, factor: number, n: number) {
    const items = sale.lineas.map((linea) => {
      const parts = partsOf(sale, linea, factor);
      return {
        description: linea.titulo,
        relatedIdentifiers: [
          { itemRelatedIdentifierName: 'ORDER_ADJUSTMENT_ITEM_ID', itemRelatedIdentifierValue: linea.id },
        ],
        totalAmount: importe(sumOf(parts)),
        breakdowns: interruptores.is('desgloses', 'nulos') ? null : parts,
        contexts: [
          { contextType: 'ProductContext', asin: linea.asin, sku: linea.sku ?? '', quantityShipped: linea.enviadas },
          ...deferred(at, kind, 'lineas'),
        ],
      };
    });
    return {
      sellingPartnerMetadata: {
        sellingPartnerId: SELLER_ID,
        accountType: 'Standard Orders',
        marketplaceId: MARKETPLACE_ID,
      },
      relatedIdentifiers: [{ relatedIdentifierName: 'ORDER_ID', relatedIdentifierValue: sale.id }],
      transactionType: kind,
      transactionId: `${sale.id}-${kind}-${n}`,
      ...status(at, kind),
      description: kind === 'Shipment' ? 'Order Payment' : 'Refund Order',
      postedDate: new Date(at).toISOString(),
      totalAmount: importe(items.reduce((sum, item) => sum + Math.round(item.totalAmount.currencyAmount * 100), 0)),
      marketplaceDetails: { marketplaceId: MARKETPLACE_ID, marketplaceName: 'Amazon.com.mx' },
      items,
      contexts: deferred(at, kind, 'movimiento'),
      breakdowns: null,
    };
  }

  const transactionsOf = (sale: Venta) =>
    movimientosOf(sale)
      .filter(({ en }) => en + horasTarde() * HOUR <= now())
      .map(({ clase, en, factor, n }) => transaction(sale, clase, en, factor, n));

  function list({ url: { searchParams: asked } }: SandboxRequest): SandboxResponse {
    const related = asked.get('relatedIdentifierName');
    const after = asked.get('postedAfter');
    if (after === null && related === null) return invalid('Start date cannot be null');
    const from = after === null ? 0 : Date.parse(after);
    const until = asked.has('postedBefore') ? Date.parse(asked.get('postedBefore')!) : now() - 2 * MINUTE;
    if (Number.isNaN(from) || Number.isNaN(until)) return invalid('A date is not ISO 8601.');
    const sales =
      related === 'ORDER_ID' ? ventas().filter(({ id }) => id === asked.get('relatedIdentifierValue')) : ventas();
    const all = (after !== null && until - from > MAX_WINDOW ? [] : sales)
      .flatMap(transactionsOf)
      .filter(({ postedDate }) => Date.parse(postedDate) >= from && Date.parse(postedDate) < until);
    const given = asked.get('nextToken');
    const empty = interruptores.is('paginaVacia', 'si') && given === null;
    const offset = given === null ? 0 : Number(Buffer.from(given, 'base64').toString('utf8').split('/')[1]);
    const shown = empty ? [] : all.slice(offset, offset + PAGE);
    const next = offset + shown.length;
    const more = empty || next < all.length;
    return json(200, {
      payload: { ...(more && { nextToken: Buffer.from(`+>?/${next}`).toString('base64') }), transactions: shown },
    });
  }

  return { list, partsOf };
}

const sumOf = (parts: readonly Desglose[]) =>
  parts.reduce((sum, { breakdownAmount }) => sum + Math.round(breakdownAmount.currencyAmount * 100), 0);
