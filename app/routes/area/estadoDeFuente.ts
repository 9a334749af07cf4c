import type { NombreIcono } from '~/core/nombreIcono';
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
