import { sql, type UpdateObject } from 'kysely';
import type { Trx } from '~db/client.server';
import type { DB } from '~db/types';
import { type EstadoDePedido, mayPass } from '../pedido';

export type Puesto = UpdateObject<DB, 'pedido'>;

type Cambio = {
  usuarioId?: string | null;
  /** Reason, in words for people. */
  detalle?: string | null;
  set?: Puesto;
};

/** Time until a supplier is asked again about an order. */
export const REVISAR = sql<Date>`now() + interval '5 minutes'`;

/** Locks a pedido until the transaction ends and returns it; undefined when there is none. */
export async function lockPedido(trx: Trx, id: string) {
  return trx.selectFrom('pedido').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/**
 * Moves a pedido where its steps allow it, and returns whether it moved. News that comes twice, or too late, moves nothing. A trigger keeps the
 * history.
 */
export async function movePedido(
  trx: Trx,
  id: string,
  a: EstadoDePedido,
  { usuarioId = null, detalle = null, set = {} }: Cambio = {},
): Promise<boolean> {
  const pedido = await trx.selectFrom('pedido').select('estado').where('id', '=', id).forUpdate().executeTakeFirst();
  if (!pedido || !mayPass(pedido.estado, a)) return false;
  await trx
    .updateTable('pedido')
    .set((is) => ({
      ...set,
      estado: a,
      detalle,
      movidoPor: usuarioId,
      cambiadoEn: sql<Date>`now()`,
      version: is('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
  return true;
}

/** Writes facts of a pedido whose state stays. */
export async function notePedido(trx: Trx, id: string, set: Puesto): Promise<void> {
  await trx
    .updateTable('pedido')
    .set((is) => ({ ...set, cambiadoEn: sql<Date>`now()`, version: is('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}
