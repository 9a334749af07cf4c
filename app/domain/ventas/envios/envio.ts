import type { Market } from '~/core/market';
import { tableOf } from '~/core/table';
import type { Avance } from '~/domain/mercados/efectos';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { Situacion } from '~db/columns';

/** The couriers of own shipping. */
export const PAQUETERIAS = ['DHL', 'FedEx', 'PaquetExpress', 'Estafeta'] as const;

/** The states that a person gives to a package that we send ourselves. */
export const ESTATUS_PROPIOS = [
  { value: 'enPreparacion', label: 'En Preparacion' },
  { value: 'enCamino', label: 'En Camino' },
  { value: 'entregado', label: 'Entregado' },
  { value: 'enDevolucion', label: 'En Devolución' },
  { value: 'devuelto', label: 'Devuelto' },
  { value: 'enSucursal', label: 'En Sucursal' },
] as const;

export type EstatusPropio = (typeof ESTATUS_PROPIOS)[number]['value'];
export const CODIGOS_PROPIOS = ESTATUS_PROPIOS.map(({ value }) => value) as [EstatusPropio, ...EstatusPropio[]];

/** States of a shipment that is still with us, in our words and in the marketplace's: its address may still change. */
const CON_NOSOTROS = new Set([
  'pending',
  'handling',
  'ready_to_ship',
  'enPreparacion',
  'cobroRequerido',
  'cobroPendiente',
  'autorizandoPago',
]);

/** Tells whether the address of a package is fixed: the package left, or its label was made and the address printed. */
export function hasLeft({ estatus, guia }: { estatus: string; guia: string | null }): boolean {
  return guia !== null || !CON_NOSOTROS.has(estatus);
}

/** Tells whether the shipment of a sale may still change: it may not once the sale was cancelled or came back. */
export function isViva({
  clase,
  estatus,
  situacion,
}: {
  clase: string;
  estatus: string;
  situacion: Situacion;
}): boolean {
  return estatus !== 'cancelado' && situacion !== 'cancelada' && clase !== 'cancelada' && clase !== 'devuelta';
}

/** How far a package got, by its state. A package that comes back has no entry: telling a marketplace so may pay the buyer back. */
const AVANCE: Readonly<Record<string, Avance>> = tableOf({
  enCamino: 'enCamino',
  enSucursal: 'enCamino',
  shipped: 'enCamino',
  entregado: 'entregado',
});

/** Returns how far a package got, as marketplaces are told; null while it has not left, and when it comes back. */
export const avanceOf = (estatus: string): Avance | null => AVANCE[estatus] ?? null;

/** Tells whether a package is on its way or got there. */
export const hasSalido = (estatus: string): boolean => avanceOf(estatus) !== null;

/** Returns the name of a shipment: its number at the marketplace, or 'Propio' when the marketplace does not know it. */
export const numeroOfEnvio = (marketId: string): string => numberedOf(marketId) ?? 'Propio';

/** Returns the number that a marketplace gave a shipment; null for a shipment without one. */
export const numberedOf = (marketId: string | null): string | null =>
  marketId === null || marketId.startsWith(PROPIO) ? null : marketId;
/** Prefix of the number of a shipment that the marketplace does not know. */
export const PROPIO = 'propio-';

/** Returns the state that a list shows of a shipment; a shipment that came back shows 'returned'. */
export function estatusOfEnvio({ estatus, subestatus }: { estatus: string; subestatus: string | null }): string {
  return estatus === 'not_delivered' && subestatus === 'returned' ? 'returned' : estatus;
}

/** The page of a package at each carrier whose address is known. Estafeta tells its short number (10 digits) from the guide's own (22). */
const RASTREO: Readonly<Record<string, (guia: string) => string>> = tableOf({
  DHL: (guia) => `https://www.dhl.com/mx-es/home/rastreo.html?tracking-id=${guia}`,
  FedEx: (guia) => `https://www.fedex.com/fedextrack/?trknbr=${guia}`,
  PaquetExpress: (guia) => `https://www.paquetexpress.com.mx/rastreo/${guia}`,
  Estafeta: (guia) =>
    `https://cs.estafeta.com/es/Tracking/searchByGet?wayBill=${guia}&wayBillType=${/^\d{10}$/.test(guia) ? 1 : 0}&isShipmentDetail=False`,
});

type Rastreado = {
  guia: string | null;
  paqueteria: string | null;
  paqueteriaUrl: string | null;
  market?: Market;
  propio?: boolean;
  /** Number of a sale inside, where the page may send people to the marketplace. */
  numOrden?: string | null;
};

/**
 * Returns the page where a package is followed: the address that a person wrote down, else the carrier's known one. A package that a carrier of the
 * marketplace takes is followed on the seller's page of its sale. Null without any of these.
 */
export function rastreoUrl({ guia, paqueteria, paqueteriaUrl, market, propio, numOrden }: Rastreado): string | null {
  if (paqueteriaUrl !== null && isWeb(paqueteriaUrl)) return paqueteriaUrl;
  if (guia === null || paqueteria === null) return null;
  const known = RASTREO[paqueteria]?.(encodeURIComponent(guia));
  if (known !== undefined || !market || !numOrden || propio) return known ?? null;
  return MERCADOS[market].ventaUrl(numOrden);
}

/** Tells whether a text is an address of the web. */
export const isWeb = (url: string) => /^https?:\/\//i.test(url) && URL.canParse(url);

/** Joins a name and its surnames; a name that has them already, since it was read whole, stays as it is. */
export function nombreEntero(nombre: string | undefined, apellidos: string | undefined): string {
  if (!nombre || !apellidos || nombre === apellidos || nombre.endsWith(` ${apellidos}`))
    return nombre || apellidos || '';
  return `${nombre} ${apellidos}`;
}

/** Splits a whole name at its known surnames. A name that somebody changed since is all first name. */
export function nombreAparte({
  nombreReceptor,
  apellidos,
}: {
  nombreReceptor: string | null;
  apellidos: string | null;
}): { nombre: string; apellidos: string } {
  const whole = nombreReceptor ?? '';
  return apellidos && whole.endsWith(` ${apellidos}`)
    ? { nombre: whole.slice(0, -apellidos.length - 1), apellidos }
    : { nombre: whole, apellidos: '' };
}
