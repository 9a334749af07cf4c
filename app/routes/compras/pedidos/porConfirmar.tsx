import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { porConfirmarList } from '~/domain/compras/pedidos/listPedidos.server';
import { defineActions } from '~/http/actions.server';
import { ListScreen } from '~/ui/ListScreen';
import { type Column } from '~/ui/DataTable';
import { usePantalla } from '~/ui/Pantallas';
import { openPedidos } from './record';
import { accionesOfPedido, type Fila, nombreOfPedido } from './acciones';
import { pedidoActions } from './actions';
import { COLUMNAS, cotizacionAt, plazoAt, tonoOfPedido, columnasOfDinero } from './columnas';
import { BY_BUTTON, pedidoPanel } from './panel';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Ordenes por confirmar' }];

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  openPedidos(porConfirmarList, request, usuarioOf(context));

export const action = defineActions(pedidoActions);

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

const columnsAt = (ahora: string, cotizaciones: string | undefined): Column<Fila, Lista['totales']>[] => [
  COLUMNAS.fecha,
  COLUMNAS.venta,
  cotizacionAt<Lista['totales']>(cotizaciones),
  COLUMNAS.titulo,
  ...columnasOfDinero<Lista['totales']>(),
  COLUMNAS.proveedor,
  plazoAt<Lista['totales']>(ahora),
];

/** The screen of pedidos that wait to be confirmed: cost, profit and time left of each. */
export default function OrdenesPorConfirmar() {
  const { lista, abierta, puedeOperar, acciones, ahora } = useLoaderData<typeof loader>();
  const cotizaciones = usePantalla('cotizaciones');
  return (
    <ListScreen
      titulo="Ordenes por confirmar"
      nota="Lo vendido que espera comprarse. Lo que CT tomó vence a las 48 horas si nadie lo confirma."
      lista={lista}
      columns={columnsAt(ahora, cotizaciones)}
      rowKey={(pedido) => pedido.id}
      nombra={nombreOfPedido}
      lines={2}
      tone={tonoOfPedido}
      placeholder="Venta, título o folio"
      vacia={{ nada: 'Ningún pedido espera. Llegan solos con las ventas, o se hacen desde su orden.' }}
      enFila={puedeOperar ? { ancho: 142, tarjeta: 'debajo', de: accionesOfPedido } : undefined}
      acciones={acciones}
      panel={pedidoPanel}
      abierta={abierta}
      refusals={BY_BUTTON}
    />
  );
}
