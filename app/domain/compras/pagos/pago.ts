import type { Rango } from '~/core/list';
import { addDays, civilDay } from '~/core/time';

/** A payment to a supplier as screens speak of it. */
export const SIN_ARCHIVOS = 'La cotización no cuenta con un archivo';
export const SIN_ARCHIVO = 'No se detecto archivo';
export const SIN_FOLIO = 'No ha ingresa el folio del pago';
export const GUARDADO = 'Archivo enviado de forma correcta.';

/** What of the sales of a range is shown. */
export const FILTROS = ['sinPago', 'pagado', 'todos'] as const;
export type FiltroDePago = (typeof FILTROS)[number];
export const FILTRO_LABEL: Record<FiltroDePago, string> = { todos: 'Todos', sinPago: 'Sin pago', pagado: 'Pagado' };

/** Folios as one field holds several: apart by commas, each once however it is written. */
export function foliosOf(...escritos: readonly (string | null | undefined)[]): string[] {
  const folios = escritos.flatMap((escrito) => (escrito ?? '').split(/[,;\n]/)).map((folio) => folio.trim());
  const known = new Map(folios.filter((folio) => folio !== '').map((folio) => [folio.toLowerCase(), folio]));
  return [...known.values()];
}

/** The numbers of sales that a field holds, apart by anything that is in no number. */
export const numerosOf = (escrito: string | null): string[] => [
  ...new Set((escrito ?? '').split(/[\s,;]+/).filter((numero) => numero !== '')),
];

/** From the first day of the month before this one up to today. */
export function desdeElMesAnterior(now = new Date()): Rango {
  const hasta = civilDay(now);
  const ultimoAnterior = addDays(`${hasta.slice(0, 7)}-01`, -1);
  return { desde: `${ultimoAnterior.slice(0, 7)}-01`, hasta };
}
