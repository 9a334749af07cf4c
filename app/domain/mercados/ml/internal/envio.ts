import { isGenericRfc, isRfc, normalizeRfc } from '~/core/rfc';
import type { BillingInfo, Shipment, ShipmentCosts, ShipmentPayments } from '~/integrations/mercadolibre/wire';
import type { CompradorFiscal, Direccion, EnvioLeido } from '~/domain/mercados/venta';
import { pagosOfEnvio } from './pagos';

const PROPIOS = new Set(['me1', 'custom', 'not_specified']);

/** Modes of a shipment that we move ourselves, with a carrier of our own. */
const isEnvioPropio = (modo: string | null | undefined) => modo != null && PROPIOS.has(modo);

/** Tells whether Mercado Libre hides a value: hidden values come as rows of X and count as missing. */
export function unmasked(text: string | null | undefined): string | null {
  const clean = text?.trim();
  return !clean || /^[X\s]{3,}$/i.test(clean) ? null : clean;
}

/** The interior number and the references come together in one comment, and stay together. */
export function direccionOf({ address, receiver_name, receiver_phone, comment }: Shipment): Direccion {
  const city = unmasked(address?.city?.name);
  return {
    nombreReceptor: unmasked(receiver_name),
    telefono: unmasked(receiver_phone),
    calle: unmasked(address?.street_name),
    numeroE: unmasked(address?.street_number),
    numeroI: null,
    referencia: unmasked(comment),
    colonia: unmasked(address?.neighborhood?.name),
    ciudad: city,
    municipio: unmasked(address?.municipality?.name) ?? city,
    estado: unmasked(address?.state?.name),
    cp: unmasked(address?.zip_code),
  };
}

/** Details that were read beside a shipment. Null: not read this time, or not told. */
export type DelEnvio = { costs: ShipmentCosts | null; payments: ShipmentPayments | null };

/** Returns a shipment in our nouns. `costo` is what the seller `sellerId` pays of it, in pesos; null when the costs were not read. */
export function envioOf(shipment: Shipment, raw: unknown, { costs, payments }: DelEnvio, sellerId: string): EnvioLeido {
  return {
    marketId: shipment.id,
    estatus: shipment.status,
    subestatus: shipment.substatus ?? null,
    modo: shipment.mode ?? null,
    tipoLogistico: shipment.logistic_type ?? null,
    propio: isEnvioPropio(shipment.mode),
    guia: unmasked(shipment.tracking_number),
    paqueteria: unmasked(shipment.tracking_method),
    fechaCreacion: shipment.date_created,
    actualizadoEn: shipment.last_updated ?? shipment.date_created,
    pagos: payments && pagosOfEnvio(payments),
    costoComprador: costs?.receiver?.cost ?? null,
    costo: costs?.senders?.find(({ user_id }) => user_id === sellerId)?.cost ?? null,
    documento: raw,
    ...direccionOf(shipment),
  };
}

/** Returns the buyer's tax data as a proposal for the invoice form. The generic RFC proposes nothing: its buyer asked for no invoice in their name. */
export function compradorFiscalOf(billing: BillingInfo): CompradorFiscal {
  const info = billing.buyer?.billing_info;
  const rfc = info?.identification?.type === 'CURP' ? '' : normalizeRfc(unmasked(info?.identification?.number) ?? '');
  if (isGenericRfc(rfc)) return { rfc: null, razonSocial: null, regimen: null, usoCfdi: null, cp: null };
  const name = [unmasked(info?.name), unmasked(info?.last_name)]
    .filter((part) => part !== null)
    .join(' ')
    .replace(/\s+/g, ' ')
    .toUpperCase();
  return {
    rfc: isRfc(rfc) ? rfc : null,
    razonSocial: name || null,
    regimen: matching(info?.taxes?.taxpayer_type?.id, /^\d{3}$/),
    usoCfdi: matching(info?.taxes?.cfdi?.id?.toUpperCase(), /^[A-Z]{1,2}\d{2}$/),
    cp: matching(info?.address?.zip_code, /^\d{5}$/),
  };
}

function matching(text: string | null | undefined, pattern: RegExp): string | null {
  return text && pattern.test(text) ? text : null;
}
