import { isViva } from '~/domain/ventas/envios/envio';
import { isPagada } from '~/domain/ventas/ordenes/orden';
import { Refused } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';

export type VentaParaPedir = Parameters<typeof isViva>[0];

export type EnvioDeVenta = { estatus: string; tipoLogistico: string | null };

/** States of a package that has left. */
export const YA_SALIO: readonly string[] = [
  'shipped',
  'delivered',
  'not_delivered',
  'enCamino',
  'entregado',
  'enSucursal',
];

/** Returns why a package needs no purchase any more; null while it may need one. A cancelled package may get a successor. */
export function nadaQuePedir({ estatus, tipoLogistico }: EnvioDeVenta): string | null {
  if (tipoLogistico === 'fulfillment') return 'La venta sale del almacén del mercado: no hay nada que pedir.';
  return YA_SALIO.includes(estatus) ? 'El paquete ya salió: no hay nada que pedir.' : null;
}

/** Why nothing is bought for a sale that ended. */
export const TERMINADA = 'La venta fue cancelada o devuelta.';
export const isTerminada = (venta: VentaParaPedir): boolean => !isViva(venta);

/** Returns why nothing may be bought for some ordenes any more; null while it may. */
export function porQueNo(ordenes: readonly VentaParaPedir[]): string | null {
  if (ordenes.length === 0) return 'La venta ya no existe.';
  if (ordenes.some(isTerminada)) return TERMINADA;
  if (!ordenes.every(({ situacion }) => isPagada(situacion) && situacion !== 'devuelta'))
    return 'La venta no está pagada.';
  return null;
}

/** Throws `Refused` when the sale ended or is not paid. The last look before anything leaves. */
export async function requireVentaViva(db: Db | Trx, ordenIds: readonly string[]): Promise<void> {
  const ordenes = await db
    .selectFrom('orden')
    .select(['clase', 'estatus', 'situacion'])
    .where('id', 'in', [...ordenIds])
    .execute();
  const no = ordenes.length < ordenIds.length ? 'La venta ya no existe.' : porQueNo(ordenes);
  if (no) throw new Refused(`${no} No se pidió nada.`);
}
