import type { NombreIcono } from '~/core/nombreIcono';
import { toInstant } from '~/core/time';
import type { Fuente } from '~/domain/sync/fuentes.server';
import type { Tono } from '~/ui/Estatus';

/** The words for each state of a source of sales. In the bar a state without `corto` shows its age. */
export const ESTADO_DE_FUENTE: Record<
  Fuente['estado'],
  { tono: Tono; icono: NombreIcono; corto?: string; largo: string }
> = {
  alDia: { tono: 'ok', icono: 'hecho', largo: 'al día' },
  incompleta: { tono: 'aviso', icono: 'aviso', largo: 'con avisos sin leer' },
  atrasada: { tono: 'aviso', icono: 'reloj', largo: 'llega con retraso' },
  empezando: { tono: 'neutro', icono: 'espera', corto: 'empezando', largo: 'trayendo las primeras ventas' },
  sinVincular: { tono: 'neutro', icono: 'sinEstatus', corto: 'sin activar', largo: 'sin activar' },
  rota: { tono: 'mal', icono: 'error', corto: 'desconectado', largo: 'desconectado' },
  sinLeer: { tono: 'aviso', icono: 'aviso', corto: 'sin leer', largo: 'no se pudo leer' },
  enPausa: { tono: 'aviso', icono: 'pausa', corto: 'en pausa', largo: 'en pausa' },
};

/** 'hace 40 s': shorter than in a page, for the bar and for narrow columns. */
export function edadOf(hasta: Date | string | null, now: number): string {
  if (hasta === null) return '';
  const seconds = Math.max(0, Math.round((now - toInstant(hasta).getTime()) / 1_000));
  if (seconds < 60) return `hace ${seconds} s`;
  if (seconds < 3_600) return `hace ${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `hace ${Math.floor(seconds / 3_600)} h`;
  return `hace ${Math.floor(seconds / 86_400)} d`;
}
