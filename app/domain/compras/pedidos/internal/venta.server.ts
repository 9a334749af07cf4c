import { isViva } from '~/domain/ventas/envios/envio';
import { isPagada } from '~/domain/ventas/ordenes/orden';
import { Refused } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';

export type VentaParaPedir = Parameters<typeof isViva>[0];

/** Returns why nothing may be bought for some ordenes any more; null while it may. */
export function porQueNo(ordenes: readonly VentaParaPedir[]): string | null {
  if (ordenes.length === 0) return 'La venta ya no existe.';
  if (!ordenes.every(isViva)) return 'La venta fue cancelada o devuelta.';
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
