import { civilDay } from '~/core/time';
import type { EstadoCancelacion, MotivoCancelacion, TipoFactura } from '~db/columns';

/** The SAT's motives for a cancellation. */
export const MOTIVOS = {
  '01': 'Comprobante emitido con errores con relación',
  '02': 'Comprobante emitido con errores sin relación',
  '03': 'No se llevó a cabo la operación',
  '04': 'Operación nominativa relacionada en una factura global',
} as const satisfies Record<MotivoCancelacion, string>;

export type Motivo = keyof typeof MOTIVOS;
export const MOTIVO_KEYS = Object.keys(MOTIVOS) as Motivo[];

/** The state of a cancellation, in words. */
export const ESTADO_CANCELACION: Record<EstadoCancelacion, string> = {
  solicitada: 'Solicitada',
  enProceso: 'En proceso en el SAT',
  cancelada: 'Cancelada',
  rechazada: 'Rechazada',
};

/** The motives with which a document can be cancelled: 01 alone when its substitute exists, which that motive names. */
export function motivosOf(tipo: TipoFactura, { sustituto }: { sustituto: boolean }): Motivo[] {
  if (sustituto) return ['01'];
  return tipo === 'global' ? ['02', '03', '04'] : ['02', '03'];
}

/**
 * The last day to ask for a cancellation, 'YYYY-MM-DD': the end of the month of the issuer's annual return for that year, March for
 * companies and April for natural persons.
 */
export function plazoOfCancelacion(fecha: Date, rfcEmisor: string): string {
  const year = Number(civilDay(fecha).slice(0, 4)) + 1;
  return rfcEmisor.length === 13 ? `${year}-04-30` : `${year}-03-31`;
}

/** The outcome of a cancellation that the SAT's status tells. */
export type EstadoSat = 'cancelada' | 'rechazada' | 'enProceso' | 'nada';

/** Reads the SAT's status of a cancellation; 'nada' while the SAT has nothing of it, as right after asking. */
export function parseEstadoSat({
  estado,
  estatusCancelacion,
}: {
  estado: string;
  estatusCancelacion: string;
}): EstadoSat {
  if (/^cancelad/i.test(estado)) return 'cancelada';
  if (/rechaz/i.test(estatusCancelacion)) return 'rechazada';
  return /en proceso|cancelad|plazo vencido/i.test(estatusCancelacion) ? 'enProceso' : 'nada';
}

const DAY_MS = 86_400_000;
/** Time for which a rejection may still be that of an earlier request: the SAT's status lags. */
const REJECTION_LAGS_MS = DAY_MS;
/** Days for which the SAT may not know a request before people are asked to repeat it. */
export const DIAS_SIN_NOTICIA = 2;
/** Days after which no receiver is going to answer: three working days, with weekends and holidays between. */
export const DIAS_SIN_RESPUESTA = 7;
/** Days after a rejection in which a receiver's late yes is still looked for. */
export const DIAS_DESPUES = 5;

type Noticias = {
  pedidaEn: Date;
  /** Instant at which the SAT last said that the request is in process. */ vistaEn: Date | null;
  revisadaEn: Date | null;
};

/** Tells whether a rejection is of this request: the SAT had seen it, or had a day to see it. */
export const isOfThisSolicitud = ({ pedidaEn, vistaEn }: Noticias, now: Date) =>
  vistaEn !== null || now.getTime() - pedidaEn.getTime() > REJECTION_LAGS_MS;

/** Tells whether the SAT, read for days, knows nothing of the request: it never arrived, or was lost. */
export const sinNoticia = ({ pedidaEn, vistaEn, revisadaEn }: Noticias) =>
  revisadaEn !== null && revisadaEn.getTime() - (vistaEn ?? pedidaEn).getTime() > DIAS_SIN_NOTICIA * DAY_MS;

/** Tells whether the SAT's 'EsCancelable' allows a cancellation. */
export const isCancelable = (texto: string) => !/^no cancelable/i.test(texto.trim());
