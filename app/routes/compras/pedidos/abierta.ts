import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { type List, openList } from '~/platform/lists/list.server';
import type { ListFilter } from '~/core/list';
import { openPedido } from '~/domain/compras/pedidos/readPedidos.server';
import { db } from '~db/shared.server';
import { abiertaIn } from '~/routes/area/abierta';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';

/** A pedido as its panel shows it; null when there is none by that id. */
export async function pedidoOf(id: string, _search: URLSearchParams, usuario: Usuario) {
  const pedido = await openPedido(db(), id, usuario.rol);
  return pedido ? { ...toWire(pedido), puede: can(usuario, 'pedidos.operar') } : null;
}

export type PedidoAbierto = NonNullable<Awaited<ReturnType<typeof pedidoOf>>>;

/** A list of pedidos with the one beside it, and what may be done to both. */
export async function openPedidos<F extends ListFilter, Row, Totales>(
  list: List<F, Row, Totales>,
  request: Request,
  usuario: Usuario,
) {
  const [lista, abierta] = await Promise.all([
    openList(db(), list, request, usuario),
    abiertaIn(request, usuario, pedidoOf),
  ]);
  return {
    lista,
    abierta,
    puedeOperar: can(usuario, 'pedidos.operar'),
    acciones: accionesOfList(list.lista, usuario),
    ahora: new Date().toISOString(),
  };
}
