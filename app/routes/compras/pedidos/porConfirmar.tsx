import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { porConfirmarList } from '~/domain/compras/pedidos/listPedidos.server';
import { defineActions } from '~/http/actions.server';
import { ListScreen } from '~/ui/ListScreen';
import { type Column } from '~/ui/DataTable';
import { usePantalla } from '~/ui/Pantallas';
import { openPedidos } from './record';
import { accionesOfPedido, awaitsFolio, type Fila, nombreOfPedido } from './acciones';
import { pedidoActions } from './actions';
import { COLUMNAS, cotizacionAt, plazoAt, tonoOfPedido, columnasOfDinero } from './columnas';
import { celdaOfFolio } from './celdas';
import { BY_BUTTON, pedidoPanel } from './panel';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Ordenes por confirmar' }];

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  openPedidos(porConfirmarList, request, usuarioOf(context));

export const action = defineActions(pedidoActions);

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

/** The folio of a supplier that answers by letter is written where it will stand; a row that awaits it has no link there. */
const conFolio = (cotizacion: Column<Fila, Lista['totales']>): Column<Fila, Lista['totales']> => ({
  ...cotizacion,
  edita: celdaOfFolio,
  cell: (fila) => (awaitsFolio(fila) ? SIN_LINK : cotizacion).cell(fila),
});
const SIN_LINK = cotizacionAt<Lista['totales']>(undefined);

const columnsAt = (
  ahora: string,
  cotizaciones: string | undefined,
  opera: boolean,
): Column<Fila, Lista['totales']>[] => [
  COLUMNAS.ventaYFecha,
  opera ? conFolio(cotizacionAt(cotizaciones)) : cotizacionAt(cotizaciones),
  COLUMNAS.tituloYProveedor,
  ...columnasOfDinero<Lista['totales']>(),
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
      columns={columnsAt(ahora, cotizaciones, puedeOperar)}
      rowKey={(pedido) => pedido.id}
      nombra={nombreOfPedido}
      lines={2}
      tone={tonoOfPedido}
      placeholder="Venta, comprador, título o folio"
      vacia={{ nada: 'Ningún pedido espera. Llegan solos con las ventas, o se hacen desde su orden.' }}
      enFila={puedeOperar ? { ancho: 142, tarjeta: 'debajo', de: accionesOfPedido } : undefined}
      acciones={acciones}
      panel={pedidoPanel}
      abierta={abierta}
      refusals={BY_BUTTON}
    />
  );
}
