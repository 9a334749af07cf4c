import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { type List, openList } from '~/platform/lists/list.server';
import type { ListFilter } from '~/core/list';
import { openPedido } from '~/domain/compras/pedidos/readPedidos.server';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { accionesOfList } from '~/routes/operacion/lotes/lotes';

/** Reads a pedido for its panel; null when the id is unknown. */
export async function pedidoOf(id: string, _search: URLSearchParams, usuario: Usuario) {
  const pedido = await openPedido(db(), id, usuario.rol);
  if (!pedido) return null;
  const { fotos, ...hechos } = pedido;
  return {
    ...toWire(hechos),
    /** Pictures of the lines, by their place. */
    alLado: { fotos: Object.fromEntries(fotos) },
    puede: can(usuario, 'pedidos.operar'),
  };
}

export type PedidoAbierto = NonNullable<Awaited<ReturnType<typeof pedidoOf>>>;

/** Reads a list of pedidos, the opened pedido, and the rights of the person on both. */
export async function openPedidos<F extends ListFilter, Row, Totales, Lado>(
  list: List<F, Row, Totales, Lado>,
  request: Request,
  usuario: Usuario,
) {
  const [lista, abierta] = await Promise.all([
    openList(db(), list, request, usuario),
    openRecord(request, usuario, pedidoOf),
  ]);
  return {
    lista,
    abierta,
    puedeOperar: can(usuario, 'pedidos.operar'),
    acciones: accionesOfList(list.lista, usuario),
    ahora: new Date().toISOString(),
  };
}
