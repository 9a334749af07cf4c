import { civilDay } from '~/core/time';
import type { EstadoCancelacion, MotivoCancelacion, TipoFactura } from '~db/columns';

/** Cancelling a CFDI: the SAT's motives, until when it may be asked, and how its answers read. */
export const MOTIVOS = {
  '01': 'Comprobante emitido con errores con relación',
  '02': 'Comprobante emitido con errores sin relación',
  '03': 'No se llevó a cabo la operación',
  '04': 'Operación nominativa relacionada en una factura global',
} as const satisfies Record<MotivoCancelacion, string>;

export type Motivo = keyof typeof MOTIVOS;
export const MOTIVO_KEYS = Object.keys(MOTIVOS) as Motivo[];

export const ESTADO_CANCELACION: Record<EstadoCancelacion, string> = {
  solicitada: 'Solicitada',
  enProceso: 'En proceso en el SAT',
  cancelada: 'Cancelada',
  rechazada: 'Rechazada',
};

/** The motives a document can be cancelled with. 01 needs its substitute to exist. */
export function motivosOf(tipo: TipoFactura, { sustituto }: { sustituto: boolean }): Motivo[] {
  if (sustituto) return ['01'];
  return tipo === 'global' ? ['02', '03', '04'] : ['02', '03'];
}

/** The last day to ask: the end of the month in which the issuer's annual return of that year is due, March for companies and April for people. */
export function plazoOfCancelacion(fecha: Date, rfcEmisor: string): string {
  const year = Number(civilDay(fecha).slice(0, 4)) + 1;
  return rfcEmisor.length === 13 ? `${year}-04-30` : `${year}-03-31`;
}

export type EstadoSat = 'cancelada' | 'rechazada' | 'enProceso' | 'nada';

/** What the SAT's status says of a cancellation that was asked. Right after asking it may still say nothing of it. */
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
/** The SAT's status lags: for so long a rejection may be the one of an earlier request. */
const REJECTION_LAGS_MS = DAY_MS;
/** How long a request may be unknown to the SAT before people are asked to make it again. */
export const DIAS_SIN_NOTICIA = 2;
/** The receiver has three working days; with the week-ends and holidays that may fall in between, after these nobody is going to answer. */
export const DIAS_SIN_RESPUESTA = 7;
/** For how many days after a rejection a receiver's late yes is still looked for. */
export const DIAS_DESPUES = 5;

type Noticias = {
  pedidaEn: Date;
  /** When the SAT last said that it is in process. */ vistaEn: Date | null;
  revisadaEn: Date | null;
};

/** Whether a rejection that was read is this request's: the SAT had it before, or had all the time to. */
export const isOfThisSolicitud = ({ pedidaEn, vistaEn }: Noticias, now: Date) =>
  vistaEn !== null || now.getTime() - pedidaEn.getTime() > REJECTION_LAGS_MS;

/** Read for days, the SAT says nothing of the request: it never got there, or was lost. */
export const sinNoticia = ({ pedidaEn, vistaEn, revisadaEn }: Noticias) =>
  revisadaEn !== null && revisadaEn.getTime() - (vistaEn ?? pedidaEn).getTime() > DIAS_SIN_NOTICIA * DAY_MS;

export const isCancelable = (texto: string) => !/^no cancelable/i.test(texto.trim());
