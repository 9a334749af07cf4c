import { Checkbox } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { markUnprocessable } from '~/core/answerStatus.server';
import { mesBefore, nombreOfMes } from '~/core/time';
import { openAtMes } from '~/http/mesDebido.server';
import { defineActions } from '~/http/actions.server';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { mesOf, mesProblem } from '~/domain/facturacion/mes/mes';
import { openList } from '~/platform/lists/list.server';
import { CLASE_LABEL, ventaUrl } from '~/domain/ventas/ordenes/orden';
import { sinFacturaList } from '~/domain/compras/facturas/lists.server';
import { Boton } from '~/ui/Boton';
import { EmptyState, PageHeader } from '~/ui/Blocks';
import { DataTable, type Column } from '~/ui/DataTable';
import { deferredPart } from '~/ui/deferredPart';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { MesInput } from '~/ui/MesInput';
import { Pesos } from '~/ui/Pesos';
import { useFilled } from '~/ui/useFilled';
import { db } from '~db/shared.server';
import { proveedorFacturaActions } from '~/routes/compras/facturas/actions';
import { proveedorFacturasIn } from '~/routes/compras/facturas/dialog';
import './reportes.css';

const ProveedorFacturaDialog = deferredPart('ProveedorFacturaDialog', () =>
  import('~/routes/compras/facturas/ProveedorFacturaDialog').then(
    ({ ProveedorFacturaDialog }) => ProveedorFacturaDialog,
  ),
);

export { OrdenError as ErrorBoundary } from '~/routes/ventas/ordenes/OrdenError';

export const meta: MetaFunction = () => [{ title: 'Reporte de facturación general' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const hoy = mesOf(new Date());
  openAtMes(request, mesBefore(hoy));
  const [lista, abierta] = await Promise.all([
    openList(db(), sinFacturaList, request, usuario),
    proveedorFacturasIn(request, usuario, 'ver'),
  ]);
  const aviso = mesProblem(new URL(request.url).searchParams.get('mes'), 'Elige otro.');
  if (aviso) markUnprocessable(request);
  return { lista, hoy, abierta, aviso };
}

export const action = defineActions(proveedorFacturaActions('ver'));

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

/** As in the lists of sales. */
const TONO: Record<Row['clase'], Tono | undefined> = {
  normal: undefined,
  cancelada: 'mal',
  devuelta: 'mal',
  invalida: 'aviso',
};

const columns: Column<Row, Lista['totales']>[] = [
  {
    header: 'Fecha',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 134,
    cell: (orden) => <Fecha valor={orden.fechaCreacion} />,
  },
  {
    header: 'No. Orden',
    tarjeta: 'numero',
    sort: 'orden',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ market, numOrden }) => (
      <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
        {numOrden}
      </a>
    ),
  },
  {
    header: 'Titulo',
    tarjeta: 'titulo',
    sort: 'titulo',
    opens: true,
    cell: ({ titulo }) => <span title={titulo}>{nombreCorto(titulo)}</span>,
  },
  { header: 'Proveedor', tarjeta: 'factura', width: 130, cell: (orden) => orden.proveedores },
  {
    header: 'Clase',
    tarjeta: 'estatus',
    width: 130,
    cell: ({ clase }) => clase !== 'normal' && <Estatus tono={TONO[clase]}>{CLASE_LABEL[clase]}</Estatus>,
  },
  {
    header: 'Monto Pagado',
    tarjeta: 'monto',
    sort: 'pagado',
    width: 150,
    align: 'right',
    cell: (orden) => <Pesos valor={orden.pagado} />,
    total: ({ pagado }) => <Pesos valor={pagado} />,
  },
];

export default function RFacturacionGeneral() {
  const { lista, hoy, abierta, aviso } = useLoaderData<typeof loader>();
  const area = useArea();
  const { mes } = lista.filtro;
  const elegir = <MesForm mes={mes} max={hoy} canceladas={lista.filtro.canceladas === '1'} />;

  return (
    <>
      <PageHeader
        titulo="Reporte de facturación general"
        nota={`Ordenes ${mes === '' ? 'del mes' : `de ${nombreOfMes(mes)}`} sin factura de proveedor.`}
      />
      {aviso && (
        <p className="panel" data-tono="aviso" role="alert">
          {aviso}
        </p>
      )}
      {mes === '' ? (
        <>
          {elegir}
          <EmptyState>Elige un mes y genera el reporte.</EmptyState>
        </>
      ) : (
        <DataTable
          lista={lista}
          columns={columns}
          rowKey={(orden) => orden.id}
          tone={(orden) => TONO[orden.clase]}
          label="Ordenes sin factura de proveedor"
          placeholder="Orden, comprador o título"
          area={area}
          opens
        >
          {elegir}
        </DataTable>
      )}
      {abierta && <ProveedorFacturaDialog key={abierta.ordenId} abierta={abierta} />}
    </>
  );
}

/** 'Generar Reporte' waits for a month. A GET form: the report has an address. */
function MesForm({ mes, max, canceladas }: { mes: string; max: string; canceladas: boolean }) {
  const [filled, watch] = useFilled('mes');
  return (
    <Form {...watch} method="get" className="rango mes" preventScrollReset>
      <MesInput mes={mes} max={max} label="Mes" required />
      <Checkbox name="canceladas" value="1" label="Canceladas" defaultChecked={canceladas} />
      <Boton tono="acento" type="submit" disabled={!filled}>
        Generar Reporte
      </Boton>
    </Form>
  );
}
