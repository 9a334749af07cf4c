import { createHash } from 'node:crypto';
import type { Money } from '~/core/money';
import { CAMPOS_ENVIO, type CampoEnvio } from './datosEnvio';

export const CAMPOS = Object.keys(CAMPOS_ENVIO) as CampoEnvio[];

/** Columns that people may change of a shipment that we send ourselves, in any form. */
export const COLUMNAS_PROPIO = [
  'estatus',
  'costo',
  'cotizado',
  'paqueteriaUrl',
  'apellidos',
  'calleA',
  'calleB',
  'ocurre',
  ...CAMPOS,
] as const;

export type DatosPropio = Record<
  Exclude<(typeof COLUMNAS_PROPIO)[number], 'estatus' | 'costo' | 'cotizado' | 'ocurre'>,
  string | null
> & { estatus: string; costo: Money | null; cotizado: Money | null; ocurre: boolean };

/**
 * Returns the mark of a shipment, which moves with every change that a form may make. An edit names the mark it started from. A sale without shipment
 * has a mark of its own.
 */
export function huellaOf(envio: DatosPropio | null): string {
  return envio === null
    ? 'nuevo'
    : createHash('sha256')
        .update(JSON.stringify(COLUMNAS_PROPIO.map((columna) => envio[columna])))
        .digest('base64url')
        .slice(0, 22);
}
