import { capitalize, isMes } from '~/core/text';
import { civilDay, nombreOfMes } from '~/core/time';

/** A month of sales, 'YYYY-MM', as the screen 'Facturación general' closes it. */
export type Mes = string;

/** The sentence of a page whose address names no valid month, with what the page shows `instead`; null when the month is valid or none was named. */
export function mesProblem(mes: string | null, instead: string): string | null {
  return !mes || isMes(mes) ? null : `El mes no es válido. ${instead}`;
}

/** The month of an instant in the business zone, 'YYYY-MM'. */
export function mesOf(instant: Date): Mes {
  return civilDay(instant).slice(0, 7);
}

/** Tells whether the month is still running: its later sales will need another global. */
export const isRunning = (mes: Mes, now: Date) => mes === mesOf(now);

/** The tables of the screen, each with its button and the type of batch that the button begins. */
export const TABLAS = {
  ordenes: { titulo: 'Ordenes', boton: 'Generar Factura', lote: 'cfdi.global' },
  refacturacion: { titulo: 'Refacturacion', boton: 'Notas de Credito', lote: 'notas.refacturacion' },
  devueltas: { titulo: 'Ordenes Devueltas', boton: 'Notas de Credito', lote: 'notas.devueltas' },
  parciales: { titulo: 'Ordenes Devueltas en Parte', boton: 'Notas de Credito', lote: 'notas.parciales' },
} as const;

export type Tabla = keyof typeof TABLAS;
export const TABLA_KEYS = Object.keys(TABLAS) as Tabla[];

/** The reason nothing can be issued of a month; undefined when it has begun. */
export function whyNotYet(mes: Mes, now: Date): string | undefined {
  if (!isMes(mes)) return 'Selecciona un mes.';
  return mes > mesOf(now) ? `${capitalize(nombreOfMes(mes))} todavía no empieza: no hay nada que facturar.` : undefined;
}

/** The reason a month gets no global; undefined when it can. The SAT takes globals of this year and of the year before (CFDI40136). */
export function whyNotMes(mes: Mes, now: Date): string | undefined {
  const old = Number(mes.slice(0, 4)) < Number(mesOf(now).slice(0, 4)) - 1;
  return (
    whyNotYet(mes, now) ?? (old ? 'El SAT solo recibe facturas globales del año en curso y del anterior.' : undefined)
  );
}

/** InformacionGlobal of a monthly global: periodicity 04, month and year. */
export function informacionGlobalOf(mes: Mes) {
  return { periodicidad: '04', meses: mes.slice(5, 7), anio: mes.slice(0, 4) };
}
