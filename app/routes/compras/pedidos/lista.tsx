import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { ordenesCtList } from '~/domain/compras/pedidos/listPedidos.server';
import { defineActions } from '~/http/actions.server';
import { ListScreen } from '~/ui/ListScreen';
import { DosLineas, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { usePantalla } from '~/ui/Pantallas';
import { openPedidos } from './record';
import { accionesOfPedido, type Fila, nombreOfPedido } from './acciones';
import { pedidoActions } from './actions';
import { COLUMNAS, cotizacionAt, plazoAt, tonoOfPedido, columnasOfDinero } from './columnas';
import { BY_BUTTON, pedidoPanel } from './panel';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Ordenes CT' }];

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  openPedidos(ordenesCtList, request, usuarioOf(context));

export const action = defineActions(pedidoActions);

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

const columnsAt = (ahora: string, cotizaciones: string | undefined): Column<Fila, Lista['totales']>[] => [
  COLUMNAS.ventaYFecha,
  cotizacionAt<Lista['totales']>(cotizaciones),
  COLUMNAS.titulo,
  ...columnasOfDinero<Lista['totales']>(),
  {
    header: 'Facturas',
    width: 114,
    hideUnder: 'md',
    cell: ({ facturaFolio, facturaCliente }) => (
      <DosLineas
        debajo={
          facturaCliente ? <Estatus tono="ok">{facturaCliente}</Estatus> : <Estatus tono="mal">No Facturado</Estatus>
        }
      >
        {facturaFolio ?? '—'}
      </DosLineas>
    ),
  },
  plazoAt<Lista['totales']>(ahora),
];

/** The screen of pedidos to CT, from their making to their dispatch. */
export default function OrdenesCT() {
  const { lista, abierta, puedeOperar, acciones, ahora } = useLoaderData<typeof loader>();
  const cotizaciones = usePantalla('cotizaciones');
  return (
    <ListScreen
      titulo="Ordenes CT"
      lista={lista}
      rango={lista.filtro}
      columns={columnsAt(ahora, cotizaciones)}
      rowKey={(pedido) => pedido.id}
      nombra={nombreOfPedido}
      lines={2}
      tone={tonoOfPedido}
      placeholder="Venta, comprador, título o folio"
      vacia={{ nada: 'Ningún pedido a CT en estas fechas.' }}
      enFila={puedeOperar ? { ancho: 142, tarjeta: 'debajo', de: accionesOfPedido } : undefined}
      acciones={acciones}
      panel={pedidoPanel}
      abierta={abierta}
      refusals={BY_BUTTON}
    />
  );
}
