import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { ordenesCtList } from '~/domain/compras/pedidos/listPedidos.server';
import { defineActions } from '~/http/actions.server';
import { PageHeader } from '~/ui/Blocks';
import { DataTable, DosLineas, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { usePantalla } from '~/ui/Pantallas';
import { RangoFechas } from '~/ui/RangoFechas';
import { openPedidos } from './abierta';
import { accionesOfPedido, type Fila, nombreOfPedido } from './acciones';
import { pedidoActions } from './actions';
import { COLUMNAS, columnasOfDinero, cotizacionAt, plazoAt, tonoOfPedido } from './columnas';
import { useFichaOfPedido } from './FichaDePedido';
import { PedidosAround } from './Screen';

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

export const meta: MetaFunction = () => [{ title: 'Ordenes CT' }];

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  openPedidos(ordenesCtList, request, usuarioOf(context));

export const action = defineActions(pedidoActions);

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];

const columnsAt = (ahora: string, cotizaciones: string | undefined): Column<Fila, Lista['totales']>[] => [
  COLUMNAS.fecha,
  COLUMNAS.venta,
  cotizacionAt<Lista['totales']>(cotizaciones),
  COLUMNAS.titulo,
  ...columnasOfDinero<Lista['totales']>(),
  {
    header: 'Facturas',
    width: 118,
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

/** The orders of CT, from the moment they were made until they left. */
export default function OrdenesCT() {
  const { lista, abierta, puedeOperar, acciones, ahora } = useLoaderData<typeof loader>();
  const area = useArea();
  const cotizaciones = usePantalla('cotizaciones');
  const ficha = useFichaOfPedido(lista, abierta);
  return (
    <PedidosAround>
      <PageHeader titulo="Ordenes CT" />
      <DataTable
        lista={lista}
        columns={columnsAt(ahora, cotizaciones)}
        rowKey={(pedido) => pedido.id}
        lines={2}
        tone={tonoOfPedido}
        vacia={{ nada: 'Ningún pedido a CT en estas fechas.' }}
        label="Ordenes CT"
        placeholder="Venta, título o folio"
        area={area}
        opens
        ficha={ficha}
        nombra={nombreOfPedido}
        enFila={puedeOperar ? { ancho: 142, tarjeta: 'debajo', de: accionesOfPedido } : undefined}
        acciones={acciones}
      >
        <RangoFechas {...lista.filtro} />
      </DataTable>
    </PedidosAround>
  );
}
