import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import type { Usuario } from '~/domain/cuentas/usuario';
import { openPedido } from '~/domain/pedidos/pedidoAbierto.server';
import { db } from '~db/shared.server';

/** A pedido as its panel shows it; null when there is none by that id. */
export async function pedidoDe(id: string, _search: URLSearchParams, usuario: Usuario) {
  const pedido = await openPedido(db(), id, usuario.rol);
  return pedido ? { ...toWire(pedido), puede: can(usuario, 'pedidos.operar') } : null;
}

export type PedidoAbierto = NonNullable<Awaited<ReturnType<typeof pedidoDe>>>;
