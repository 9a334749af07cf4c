import { sql, type UpdateObject } from 'kysely';
import type { Trx } from '~db/client.server';
import type { DB } from '~db/types';
import { type EstadoDePedido, mayPass } from '../pedido';

export type Puesto = UpdateObject<DB, 'pedido'>;

type Cambio = {
  usuarioId?: string | null;
  /** Why, in words for people. */
  detalle?: string | null;
  set?: Puesto;
};

/** How long until a supplier is asked again how an order goes. */
export const REVISAR = sql<Date>`now() + interval '5 minutes'`;

export async function lockPedido(trx: Trx, id: string) {
  return trx.selectFrom('pedido').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Moves a pedido where its table lets it, and says whether it did: what was learnt twice, or too late, moves nothing. */
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

/** Says something of a pedido that stays where it is. */
export async function notePedido(trx: Trx, id: string, set: Puesto): Promise<void> {
  await trx
    .updateTable('pedido')
    .set((is) => ({ ...set, cambiadoEn: sql<Date>`now()`, version: is('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}
